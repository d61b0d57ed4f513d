/** The tools of one conversation: which are offered to the model, and the approval of their calls. */

import { toolsForWindow } from "../../../core/context/request/briefTools.ts";
import type { RequestOverhead, ToolDefinition } from "../../../core/context/request/requestOverhead.ts";
import type { Message, TokenCounts } from "../../../core/message.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import {
  isAutomatic,
  isPermitted,
  possibleScopes,
  type Approval,
  type ApprovalQuestion,
  type Approvals,
  type ApprovalScope,
} from "../../../core/tools/approvals.ts";
import type { Tool, ToolCallView } from "../../../core/tools/tool.ts";
import type { ApprovalAnswer } from "../../../protocol/toHost.ts";
import { approvalCard, unfinishedCard } from "../../transcript/callCards.ts";
import {
  instructionPieces,
  systemPrompt,
  type InstructionPiece,
  type SystemPromptInput,
} from "../../connections/systemPrompt.ts";
import type { RuleFile } from "../../ruleFiles/ruleText.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import { ToolRules } from "./toolRules.ts";
import type { Transcript } from "../../transcript/transcript.ts";
import { NEVER_CANCELLED } from "../../background/readInSlices.ts";
import { teachCounting } from "../../connections/countingTeacher.ts";
import { generationOptionsOf } from "../../connections/generationOptions.ts";

interface PendingQuestion {
  readonly question: ApprovalQuestion;
  readonly scopes: readonly ApprovalScope[];
  readonly settle: (answer: Approval) => void;
}

/** Why no tools are offered: switched off here or by the setting, not supported by the model, or no model. */
export type ToolsUnavailableReason = "off" | "model" | "offline";

export class SessionTools implements Approvals {
  readonly #opened: OpenConversation;
  readonly #transcript: Transcript;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  /** Forge's built-in tools. */
  readonly builtIn: readonly Tool[];
  readonly rules: ToolRules;
  /** Open approval questions, by step id and call id. */
  readonly #pending = new Map<string, PendingQuestion>();
  #overheadKey = "";
  #overhead: RequestOverhead | undefined;
  #isTeaching = false;
  #configured: Promise<void> = Promise.resolve();
  #ruleFiles: readonly RuleFile[] = [];

  constructor(opened: OpenConversation, transcript: Transcript, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#transcript = transcript;
    this.#model = model;
    this.#services = services;
    this.builtIn = services.tools.createConversationTools(opened);
    this.rules = new ToolRules(opened, model, services);
    model.onDidChangeConnection(() => void this.refresh().catch(services.reportBug));
  }

  get offered(): readonly Tool[] {
    if (this.unavailableReason !== undefined) return [];
    const isTrusted = this.#services.tools.isTrusted();
    return this.#all.filter((tool) => {
      const mayBe = isTrusted || tool.effect === "reads";
      return mayBe && this.isUsableHere(tool) && this.rules.isEnabled(tool.definition.name);
    });
  }

  /** Definitions of the offered tools as they are sent: fewer and shorter in a small window. */
  get definitions(): readonly ToolDefinition[] {
    return toolsForWindow(
      this.offered.map(({ definition }) => definition),
      this.#contextWindow,
      (name) => this.#services.tools.isUseless(name),
    );
  }

  get #contextWindow(): number {
    return this.#services.registry.get(this.#model.connection.model).limits.contextWindow;
  }

  /** Whether a tool is usable in this window. */
  isUsableHere({ definition: { name } }: Tool): boolean {
    return this.#services.tools.isAvailable(name);
  }

  /** Tokens of a message's content in both encodings. */
  countsOf(message: Message): Promise<TokenCounts> {
    return this.#services.messageCounter.count(message);
  }

  /** Beginning of every request, piece by piece. */
  get instructions(): readonly InstructionPiece[] {
    return instructionPieces(this.#promptParts());
  }

  /** `undefined` when the model may call tools. */
  get unavailableReason(): ToolsUnavailableReason | undefined {
    const { isLanguageModel, model } = this.#model.connection;
    if (!isLanguageModel) return "offline";
    if (!this.#services.tools.supportsTools(model)) return "model";
    return this.rules.areToolsEnabled ? undefined : "off";
  }

  /** Number of calls that await approval. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Enables exactly `chosen` of the built-in tools in this conversation. */
  async enableOnly(chosen: ReadonlySet<string>): Promise<void> {
    if (this.unavailableReason === "model") this.#services.tools.forgetRefusal(this.#model.connection.model);
    await this.rules.enableOnly(
      chosen,
      this.builtIn.map(({ definition }) => definition.name),
    );
    await this.refresh();
  }

  /** Workspace rule files that are sent with every request. */
  get ruleFiles(): readonly RuleFile[] {
    return this.#ruleFiles;
  }

  /** Updates system prompt and tools for later requests; does nothing when both are unchanged. */
  async refresh(): Promise<void> {
    this.#ruleFiles = await this.#services.rules.files(this.#contextWindow);
    const { definitions } = this;
    const prompt = systemPrompt(this.#promptParts());
    const toolsJson = definitions.length === 0 ? "" : JSON.stringify(definitions);
    const key = JSON.stringify([prompt, toolsJson]);
    if (key !== this.#overheadKey) this.#configured = this.#configure(key, prompt, definitions, toolsJson);
    await this.#configured;
    this.#teachCounting().catch(this.#services.reportBug);
  }

  async #configure(
    key: string,
    prompt: string,
    definitions: readonly ToolDefinition[],
    toolsJson: string,
  ): Promise<void> {
    this.#overheadKey = key;
    const { messageCounter, view } = this.#services;
    const counted = [prompt, toolsJson].map((text) => messageCounter.count(systemMessage(text)));
    const [systemTokens, toolsTokens] = await Promise.all(counted);
    if (systemTokens === undefined || toolsTokens === undefined || key !== this.#overheadKey) return;
    const overhead: RequestOverhead = { systemPrompt: prompt, systemTokens, tools: definitions, toolsTokens };
    this.#overhead = overhead;
    this.#opened.manager.configure({ overhead });
    view.update();
  }

  /** One at a time; the next refresh goes on where the server did not answer. */
  async #teachCounting(): Promise<void> {
    const { counting, messageCounter, view } = this.#services;
    const overhead = this.#overhead;
    if (counting === undefined || overhead === undefined || this.#isTeaching) return;
    this.#isTeaching = true;
    const services = { calibrations: counting.calibrations, messageCounter };
    const { connection } = this.#model;
    const ignoresTools = await teachCounting(connection, overhead, services, NEVER_CANCELLED).finally(() => {
      this.#isTeaching = false;
    });
    if (ignoresTools) {
      this.#services.tools.noteRefusal(connection.model);
      await this.refresh();
    }
    view.update();
  }

  isAutomatic(tool: Tool, view: ToolCallView): boolean {
    if (view.needsPermission === true) return isPermitted(this.rules.permissionOf(tool));
    return isAutomatic(this.rules.situationOf(tool));
  }

  /** Shows the question in the row of the answer and waits for the user. */
  ask(question: ApprovalQuestion, cancel: CancelSignal): Promise<Approval> {
    const { stepId, call, tool, view } = question;
    if (view.needsPermission === true && this.rules.isRefused(approvalNameOf(question)))
      return Promise.resolve("refused");
    const key = keyOf(stepId, call.callId);
    const scopes: readonly ApprovalScope[] =
      view.mustAsk === true ? ["once"] : possibleScopes(this.rules.situationOf(tool));
    const shown = new AbortController();
    return new Promise((resolve) => {
      const settle = (answer: Approval): void => {
        if (!this.#pending.delete(key)) return;
        cancel.removeEventListener("abort", withdraw);
        shown.abort();
        this.#transcript.call(stepId, unfinishedCard(call, "waiting", view.title));
        this.#services.view.update();
        resolve(answer);
      };
      const withdraw = (): void => {
        settle("denied");
      };
      this.#pending.set(key, { question, scopes, settle });
      cancel.addEventListener("abort", withdraw);
      this.#transcript.call(stepId, approvalCard(call, view, scopes));
      this.#services.view.update();
      tool
        .preview?.(call.inputJson, shown.signal)
        .then((word) => {
          if (word !== undefined) settle(word);
        })
        .catch(this.#services.reportBug);
    });
  }

  /** Ignores an answer to a settled question, and a scope that was not offered. */
  async answer(rowId: string, callId: string, answer: ApprovalAnswer): Promise<void> {
    const pending = this.#pending.get(keyOf(rowId, callId));
    if (pending === undefined) return;
    if (answer === "deny") {
      pending.settle("denied");
      return;
    }
    const { question } = pending;
    if (answer === "never") {
      if (question.view.needsPermission !== true) return;
      await this.rules.refuse(approvalNameOf(question));
      pending.settle("refused");
      return;
    }
    if (!pending.scopes.includes(answer)) return;
    if (answer !== "once") await this.rules.allow(approvalNameOf(question), answer);
    pending.settle("allowed");
  }

  #promptParts(): SystemPromptInput {
    const settings = this.#services.settings.current;
    const { answerLength } = generationOptionsOf(this.#opened.conversation.history, settings);
    const { instructions } = settings;
    return { instructions, answerLength, ruleFiles: this.#ruleFiles, connection: this.#model.connection };
  }

  get #all(): readonly Tool[] {
    return [...this.builtIn, ...this.#services.tools.extensionTools()];
  }
}

/** The name by which the answer is stored. */
function approvalNameOf({ tool, view }: ApprovalQuestion): string {
  const { permission, approvalName, definition } = tool;
  return (view.needsPermission === true ? permission : approvalName) ?? definition.name;
}

function keyOf(stepId: string, callId: string): string {
  return `${stepId} ${callId}`;
}

function systemMessage(text: string): Message {
  return { role: "system", parts: text === "" ? [] : [{ kind: "text", text }] };
}
