/**
 * The tools of one conversation: which of them are offered to the model, and what the user says to their calls. What the
 * user wants remembered lies in the conversation's own records or in the editor's storage, where no model and no workspace
 * can write.
 */

import type { RequestOverhead } from "../core/context/requestOverhead.ts";
import { GRANT_PREFIX } from "../core/history/records.ts";
import type { Message } from "../core/message.ts";
import type { CancelSignal } from "../core/ports.ts";
import { isAutomatic, possibleScopes } from "../core/tools/approvals.ts";
import type { ApprovalQuestion, Approvals, ApprovalScope, ApprovalSituation } from "../core/tools/approvals.ts";
import type { Tool } from "../core/tools/tool.ts";
import type { ApprovalAnswer } from "../protocol/toHost.ts";
import { askingCard, openCard } from "./callCards.ts";
import type { Connection } from "./connections.ts";
import { explain } from "./explain.ts";
import { systemPrompt } from "./instructions.ts";
import type { OpenConversation } from "./openConversation.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { Transcript } from "./transcript.ts";
import { wishesOf } from "./wishesOf.ts";

/** What the tools of a conversation work with. */
export interface SessionToolsParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly environment: SessionEnvironment;
  readonly connection: () => Connection;
}

interface Pending {
  readonly question: ApprovalQuestion;
  readonly scopes: readonly ApprovalScope[];
  readonly settle: (answer: "allowed" | "denied") => void;
}

/** Tools, rules and questions of one conversation. */
export class SessionTools implements Approvals {
  readonly #parts: SessionToolsParts;
  readonly #own: readonly Tool[];
  /** Questions that wait, by the answer and the call. */
  readonly #pending = new Map<string, Pending>();
  #overheadKey = "";

  constructor(parts: SessionToolsParts) {
    this.#parts = parts;
    this.#own = parts.environment.tools.of(parts.opened);
  }

  /** What the model may call now. */
  get offered(): readonly Tool[] {
    const { environment, connection } = this.#parts;
    if (!this.isSwitchedOn || !connection().isLanguageModel) return [];
    const isTrusted = environment.tools.isTrusted();
    return this.#all.filter(({ effect }) => isTrusted || effect === "reads");
  }

  /** Whether this conversation uses tools at all: its own word, else the setting. */
  get isSwitchedOn(): boolean {
    const own = this.#parts.opened.manager.history.setting(SWITCH);
    return own === undefined ? this.#parts.environment.settings().tools.enabled : own === "on";
  }

  /** How many calls wait for the user's word. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Turns tools on or off for this conversation. */
  async switchTo(isOn: boolean): Promise<void> {
    if (await this.#remember(SWITCH, isOn ? "on" : "off")) await this.refresh();
  }

  /** Has the requests offer what is offered now. Where nothing changed, what was sent stays as it is. */
  async refresh(): Promise<void> {
    const definitions = this.offered.map(({ definition }) => definition);
    const prompt = this.#systemPrompt();
    const toolsJson = definitions.length === 0 ? "" : JSON.stringify(definitions);
    const key = JSON.stringify([prompt, toolsJson]);
    if (key === this.#overheadKey) return;
    this.#overheadKey = key;
    const { opened, environment } = this.#parts;
    const counted = [prompt, toolsJson].map((text) => environment.countTokens(systemMessage(text)));
    const [systemTokens, toolsTokens] = await Promise.all(counted);
    if (systemTokens === undefined || toolsTokens === undefined || key !== this.#overheadKey) return;
    const overhead: RequestOverhead = { systemPrompt: prompt, systemTokens, tools: definitions, toolsTokens };
    opened.manager.configure({ overhead });
    environment.changed();
  }

  /** By the rules as they are at this moment. */
  isAutomatic(tool: Tool): boolean {
    return isAutomatic(this.#situationOf(tool));
  }

  /** Shows the question in the row of the answer, and waits. */
  ask(question: ApprovalQuestion, cancel: CancelSignal): Promise<"allowed" | "denied"> {
    const { stepId, call, tool, view } = question;
    const key = keyOf(stepId, call.callId);
    const scopes: readonly ApprovalScope[] = view.mustAsk === true ? ["once"] : possibleScopes(this.#situationOf(tool));
    const shown = new AbortController();
    return new Promise((resolve) => {
      const settle = (answer: "allowed" | "denied"): void => {
        if (!this.#pending.delete(key)) return;
        cancel.removeEventListener("abort", withdraw);
        shown.abort();
        this.#parts.transcript.call(stepId, openCard(call, "waiting", view.title));
        this.#parts.environment.changed();
        resolve(answer);
      };
      const withdraw = (): void => {
        settle("denied");
      };
      this.#pending.set(key, { question, scopes, settle });
      cancel.addEventListener("abort", withdraw);
      this.#parts.transcript.call(stepId, askingCard(call, view, scopes));
      this.#parts.environment.changed();
      tool
        .preview?.(call.inputJson, shown.signal)
        .then((word) => {
          if (word !== undefined) settle(word);
        })
        .catch(this.#parts.environment.bug);
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
    const { name } = tool.definition;
    if (answer === "conversation") await this.#remember(APPROVAL + name, "conversation");
    if (answer === "always") await this.#parts.environment.tools.allowAlways(name);
    pending.settle("allowed");
  }

  /** Which tools the user has allowed for longer than one call. */
  get remembered(): readonly { readonly name: string; readonly scope: "conversation" | "always" }[] {
    return this.#all.flatMap((tool) => {
      const { remembered } = this.#situationOf(tool);
      return remembered === undefined ? [] : [{ name: tool.definition.name, scope: remembered }];
    });
  }

  /** Asks about a tool again from now on. */
  async forget(name: string): Promise<void> {
    await this.#parts.environment.tools.askAgain(name);
    if (this.#parts.opened.manager.history.setting(APPROVAL + name) !== undefined) {
      await this.#remember(APPROVAL + name, "ask");
    }
  }

  #systemPrompt(): string {
    const { environment, opened, connection } = this.#parts;
    const settings = environment.settings();
    const { answerLength } = wishesOf(opened.manager.history, settings);
    return systemPrompt({ instructions: settings.instructions, answerLength, connection: connection() });
  }

  #situationOf({ definition: { name }, effect }: Tool): ApprovalSituation {
    const { environment, opened } = this.#parts;
    const isAlways = environment.tools.isAlwaysAllowed(name);
    const isHere = opened.manager.history.setting(APPROVAL + name) === "conversation";
    const remembered = isAlways ? "always" : isHere ? "conversation" : undefined;
    return {
      effect,
      isTrusted: environment.tools.isTrusted(),
      staysInConversation: environment.tools.staysInConversation(name),
      ...(remembered === undefined ? {} : { remembered }),
    };
  }

  get #all(): readonly Tool[] {
    return [...this.#own, ...this.#parts.environment.tools.registered()];
  }

  async #remember(name: string, value: string): Promise<boolean> {
    const { opened, environment, connection } = this.#parts;
    const record = { kind: "setting", name, value, atMs: environment.clock.nowMs() } as const;
    const committed = await opened.store.commit([{ kind: "record", record }]);
    if (committed.ok) opened.manager.apply(record);
    else environment.showBanner(explain(committed.error, connection().provider.label));
    return committed.ok;
  }
}

/** The conversation's own word on tools: `on` or `off`. */
const SWITCH = "tools";
/** In front of a tool's name: `conversation` when its calls are allowed here. */
const APPROVAL = `${GRANT_PREFIX}tool.`;

function keyOf(stepId: string, callId: string): string {
  return `${stepId} ${callId}`;
}

function systemMessage(text: string): Message {
  return { role: "system", parts: text === "" ? [] : [{ kind: "text", text }] };
}
