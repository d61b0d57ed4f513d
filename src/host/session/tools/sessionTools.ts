/** The tools of one conversation: which of them are offered to the model, and what the user says to their calls. */

import type { RequestOverhead, ToolDefinition } from "../../../core/context/request/requestOverhead.ts";
import type { Message, TokenCounts } from "../../../core/message.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import {
  isAutomatic,
  possibleScopes,
  type ApprovalQuestion,
  type Approvals,
  type ApprovalScope,
} from "../../../core/tools/approvals.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import type { ApprovalAnswer } from "../../../protocol/toHost.ts";
import { askingCard, openCard } from "../../transcript/callCards.ts";
import {
  instructionPieces,
  systemPrompt,
  type InstructionPiece,
  type PromptParts,
} from "../../connections/instructions.ts";
import type { RuleFile } from "../../ruleFiles/ruleText.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import { ToolRules } from "./toolRules.ts";
import type { Transcript } from "../../transcript/transcript.ts";
import { wishesOf } from "../../connections/generationOptions.ts";

interface Pending {
  readonly question: ApprovalQuestion;
  readonly scopes: readonly ApprovalScope[];
  readonly settle: (answer: "allowed" | "denied") => void;
}

/** Why a conversation has no tools: it or the setting says so, the model cannot call any, or there is no model. */
export type NoTools = "off" | "model" | "offline";

/** Tools, rules and questions of one conversation. */
export class SessionTools implements Approvals {
  readonly #opened: OpenConversation;
  readonly #transcript: Transcript;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  /** Those of Forge itself. */
  readonly own: readonly Tool[];
  readonly rules: ToolRules;
  /** Questions that wait, by the answer and the call. */
  readonly #pending = new Map<string, Pending>();
  #overheadKey = "";
  #configured: Promise<void> = Promise.resolve();
  #ruleFiles: readonly RuleFile[] = [];

  constructor(opened: OpenConversation, transcript: Transcript, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#transcript = transcript;
    this.#model = model;
    this.#services = services;
    this.own = services.tools.of(opened);
    this.rules = new ToolRules(opened, model, services);
    model.onDidConnect(() => void this.refresh().catch(services.reportBug));
  }

  /** What the model may call now. */
  get offered(): readonly Tool[] {
    if (this.none !== undefined) return [];
    const isTrusted = this.#services.tools.isTrusted();
    return this.#all.filter((tool) => {
      const mayBe = isTrusted || tool.effect === "reads";
      return mayBe && this.worksHere(tool) && this.rules.isChosen(tool.definition.name);
    });
  }

  /** Whether a tool can do anything in this window. */
  worksHere({ definition: { name } }: Tool): boolean {
    return this.#services.tools.worksHere(name);
  }

  /** Tokens of a message's content in both encodings. */
  countsOf(message: Message): Promise<TokenCounts> {
    return this.#services.messageCounter.count(message);
  }

  /** What every request begins with, piece by piece. */
  get instructions(): readonly InstructionPiece[] {
    return instructionPieces(this.#promptParts());
  }

  /** Why the model may call nothing now; `undefined` where it may. */
  get none(): NoTools | undefined {
    const { isLanguageModel, model } = this.#model.connection;
    if (!isLanguageModel) return "offline";
    if (!this.#services.tools.canCall(model)) return "model";
    return this.rules.isSwitchedOn ? undefined : "off";
  }

  /** How many calls wait for the user's word. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Has this conversation use `chosen` of Forge's own tools, and no other of them. */
  async choose(chosen: ReadonlySet<string>): Promise<void> {
    if (this.none === "model") this.#services.tools.offerAgain(this.#model.connection.model);
    await this.rules.choose(
      chosen,
      this.own.map(({ definition }) => definition.name),
    );
    await this.refresh();
  }

  /** Files of the workspace whose rules go with every request. */
  get ruleFiles(): readonly RuleFile[] {
    return this.#ruleFiles;
  }

  /** Has the requests offer what is offered now. Where nothing changed, what was sent stays as it is. */
  async refresh(): Promise<void> {
    const { limits } = this.#services.registry.get(this.#model.connection.model);
    this.#ruleFiles = await this.#services.rules.files(limits.contextWindow);
    const definitions = this.offered.map(({ definition }) => definition);
    const prompt = systemPrompt(this.#promptParts());
    const toolsJson = definitions.length === 0 ? "" : JSON.stringify(definitions);
    const key = JSON.stringify([prompt, toolsJson]);
    if (key !== this.#overheadKey) this.#configured = this.#configure(key, prompt, definitions, toolsJson);
    await this.#configured;
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
    this.#opened.manager.configure({ overhead });
    view.update();
  }

  /** By the rules as they are at this moment. */
  isAutomatic(tool: Tool): boolean {
    return isAutomatic(this.rules.situationOf(tool));
  }

  /** Shows the question in the row of the answer, and waits. */
  ask(question: ApprovalQuestion, cancel: CancelSignal): Promise<"allowed" | "denied"> {
    const { stepId, call, tool, view } = question;
    const key = keyOf(stepId, call.callId);
    const scopes: readonly ApprovalScope[] =
      view.mustAsk === true ? ["once"] : possibleScopes(this.rules.situationOf(tool));
    const shown = new AbortController();
    return new Promise((resolve) => {
      const settle = (answer: "allowed" | "denied"): void => {
        if (!this.#pending.delete(key)) return;
        cancel.removeEventListener("abort", withdraw);
        shown.abort();
        this.#transcript.call(stepId, openCard(call, "waiting", view.title));
        this.#services.view.update();
        resolve(answer);
      };
      const withdraw = (): void => {
        settle("denied");
      };
      this.#pending.set(key, { question, scopes, settle });
      cancel.addEventListener("abort", withdraw);
      this.#transcript.call(stepId, askingCard(call, view, scopes));
      this.#services.view.update();
      tool
        .preview?.(call.inputJson, shown.signal)
        .then((word) => {
          if (word !== undefined) settle(word);
        })
        .catch(this.#services.reportBug);
    });
  }

  /** The user's word. One that nobody waits for any more, or a scope that was not offered, does nothing. */
  async answer(rowId: string, callId: string, answer: ApprovalAnswer): Promise<void> {
    const pending = this.#pending.get(keyOf(rowId, callId));
    if (pending === undefined) return;
    if (answer === "deny") {
      pending.settle("denied");
      return;
    }
    const { tool } = pending.question;
    if (!pending.scopes.includes(answer)) return;
    if (answer !== "once") await this.rules.allow(tool.definition.name, answer);
    pending.settle("allowed");
  }

  #promptParts(): PromptParts {
    const settings = this.#services.settings.current;
    const { answerLength } = wishesOf(this.#opened.conversation.history, settings);
    const { instructions } = settings;
    return { instructions, answerLength, ruleFiles: this.#ruleFiles, connection: this.#model.connection };
  }

  get #all(): readonly Tool[] {
    return [...this.own, ...this.#services.tools.registered()];
  }
}

function keyOf(stepId: string, callId: string): string {
  return `${stepId} ${callId}`;
}

function systemMessage(text: string): Message {
  return { role: "system", parts: text === "" ? [] : [{ kind: "text", text }] };
}
