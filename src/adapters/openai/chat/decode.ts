/** Decoder for Chat Completions streams. Any field of a chunk may be missing, depending on the server. */

import { unavailable } from "../../../core/errors.ts";
import type { ModelId } from "../../../core/ids.ts";
import { errorDetail } from "../../../core/stream/errorDetail.ts";
import { errorIn } from "../../http/errorBody.ts";
import { failureInSuccess, type RequestFacts } from "../../http/httpFailure.ts";
import { listIn, member, stringField } from "../../../core/json.ts";
import type { StopReason, StreamEvent } from "../../../core/stream/streamEvent.ts";
import { stopReasonOf } from "../../http/stopReasons.ts";
import { ThoughtTags } from "../../http/thoughtTags.ts";
import { UsageCounts } from "../../http/usage.ts";
import { ThoughtSignatures } from "./thoughtSignatures.ts";
import { ToolCallAssembler } from "./toolCalls.ts";

export interface ChatFacts extends RequestFacts {
  readonly model: ModelId;
}

/** Usage may arrive after the finish reason, so `end` emits the terminal event. */
export class ChatDecoder {
  readonly #calls = new ToolCallAssembler();
  readonly #thoughts = new ThoughtTags();
  readonly #signatures = new ThoughtSignatures();
  readonly #usage = new UsageCounts();
  readonly #facts: ChatFacts;
  #finishReason = "";
  #hasEvents = false;
  #hasText = false;
  #refused = false;
  #isEnded = false;

  constructor(facts: ChatFacts) {
    this.#facts = facts;
  }

  decode(chunk: unknown): readonly StreamEvent[] {
    // vLLM does not wrap an error; the library detects only wrapped ones.
    if (stringField(chunk, "object") === "error") return this.#failed(chunk);
    const events: StreamEvent[] = [];
    // Only one answer is ever asked for.
    const [choice] = listIn(chunk, "choices");
    if (stringField(member(choice, "error"), "message") !== "") return this.#failed(choice);
    // Some servers send the whole answer in one chunk, as if it were not streamed.
    const delta = member(choice, "delta") ?? (this.#hasEvents ? undefined : member(choice, "message"));
    const { text, thinking } = deltaContent(delta);
    if (thinking !== "") {
      this.#thoughts.noteThinking();
      events.push({ kind: "thinking", text: thinking });
    }
    events.push(...this.#thoughts.add(text));
    const refusal = stringField(delta, "refusal");
    if (refusal !== "") {
      this.#refused = true;
      events.push({ kind: "text", text: refusal });
    }
    for (const [position, piece] of callPieces(delta).entries()) {
      const { callId, events: told } = this.#calls.add(piece, position);
      events.push(...this.#thoughts.end());
      if (callId !== undefined) this.#signatures.addFromCall(callId, piece);
      events.push(...told);
    }
    this.#signatures.addFromDetails(listIn(delta, "reasoning_details"));
    this.#hasEvents ||= events.length > 0;
    this.#hasText ||= text !== "" || refusal !== "";
    this.#finishReason = stringField(choice, "finish_reason") || this.#finishReason;
    const usage = this.#usage.add(chunk);
    if (usage !== undefined) events.push({ kind: "usage", usage });
    return events;
  }

  /** Text that was held back. */
  flush(): readonly StreamEvent[] {
    return this.#thoughts.end();
  }

  /** Called at the server's end marker, or for an answer that was not streamed: some servers send no finish reason. */
  markEnded(): void {
    this.#isEnded = true;
  }

  /** Terminal events, once everything has been read; empty when the server never marked the answer as complete. */
  end(): readonly StreamEvent[] {
    const reason = this.#finishReason;
    if (reason === "" && !this.#isWhole()) return [];
    if (FAILURE_REASONS.test(reason)) {
      const why = reason === "error" ? "" : ` It said: ${reason}`;
      const detail = errorDetail(`The server broke the answer off.${why}`, this.#facts.secrets);
      return [{ kind: "failed", error: unavailable(this.#facts.provider, "serverError", detail) }];
    }
    const late = [...this.#thoughts.end(), ...this.#calls.end()];
    const signatures = this.#signatures.events(this.#facts.model, this.#calls.ids);
    return [...late, ...signatures, { kind: "done", stopReason: this.#stopReason(reason) }];
  }

  /** Gateways also send an end marker when their upstream broke off, often in the middle of a call. */
  #isWhole(): boolean {
    return this.#isEnded && this.#calls.areComplete && (this.#hasText || this.#calls.ids.length > 0);
  }

  #stopReason(reason: string): StopReason {
    if (this.#refused) return "refusal";
    return stopReasonOf(reason) ?? (this.#calls.ids.length > 0 ? "toolUse" : "endTurn");
  }

  #failed(body: unknown): readonly StreamEvent[] {
    const error = errorIn(body) ?? { type: "", message: "" };
    return [{ kind: "failed", error: failureInSuccess(this.#facts, { moreTypes: [], ...error }) }];
  }
}

/** DeepSeek when it lacks capacity; vLLM and SGLang for a dropped request; GLM; Google for a malformed call. */
const FAILURE_REASONS = /^(?:error|insufficient_system_resource|abort|network_error)$|malformed_function_call/i;

interface DeltaContent {
  readonly text: string;
  readonly thinking: string;
}

/** Reads text and thinking from any of the fields that servers use. */
function deltaContent(delta: unknown): DeltaContent {
  const parts = listIn(delta, "content");
  const fields = [stringField(delta, "reasoning_content"), stringField(delta, "reasoning"), detailsIn(delta)];
  // DeepSeek, vLLM and llama.cpp use the first, OpenRouter and Ollama the second; some send both, some only the
  // details.
  const reasoning = fields.find((field) => field !== "") ?? "";
  return {
    text: stringField(delta, "content") + parts.map((part) => stringField(part, "text")).join(""),
    thinking: reasoning + parts.flatMap(thinkingIn).join(""),
  };
}

/** Pieces of calls; those of the time before there were several calls have no list. */
function callPieces(delta: unknown): readonly unknown[] {
  const pieces = listIn(delta, "tool_calls");
  const called = member(delta, "function_call");
  return pieces.length === 0 && typeof called === "object" && called !== null ? [{ function: called }] : pieces;
}

function detailsIn(delta: unknown): string {
  return listIn(delta, "reasoning_details")
    .map((detail) => stringField(detail, "text") + stringField(detail, "summary"))
    .join("");
}

/** Form of Mistral's thinking models. */
function thinkingIn(part: unknown): readonly string[] {
  if (stringField(part, "type") !== "thinking") return [];
  return [stringField(part, "thinking"), ...listIn(part, "thinking").map((piece) => stringField(piece, "text"))];
}
