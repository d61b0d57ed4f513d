/** The chunks of a Chat Completions stream as our events. Servers differ: everything in a chunk may be missing. */

import { type ForgeError, unavailable } from "../../../core/errors.ts";
import type { ModelId } from "../../../core/ids.ts";
import { errorDetail } from "../../../core/stream/errorDetail.ts";
import { httpFailure, statusInCode, type RequestFacts } from "../../http/httpFailure.ts";
import { countIn, listIn, member, stringField } from "../../../core/json.ts";
import type { ProviderUsage, StopReason, StreamEvent } from "../../../core/stream/streamEvent.ts";
import { ThoughtSignatures } from "./thoughtSignatures.ts";
import { ChatCalls } from "./calls.ts";

/** Whose answer it is. */
export interface ChatFacts extends RequestFacts {
  readonly model: ModelId;
}

/** Decodes one stream, chunk by chunk. Usage may come after the reason to stop, so the end is told apart. */
export class ChatDecoder {
  readonly #calls = new ChatCalls();
  readonly #signatures = new ThoughtSignatures();
  readonly #facts: ChatFacts;
  #finishReason = "";
  #said = false;
  #answered = false;
  #refused = false;
  #isEnded = false;

  /** `facts` are named in the failure of an answer that the server itself broke off. */
  constructor(facts: ChatFacts) {
    this.#facts = facts;
  }

  /** What a chunk says, in order; often nothing. */
  decode(chunk: unknown): readonly StreamEvent[] {
    // vLLM does not wrap an error; the library knows only wrapped ones.
    if (stringField(chunk, "object") === "error") return [{ kind: "failed", error: this.#failure(chunk) }];
    const events: StreamEvent[] = [];
    // Only one answer is ever asked for.
    const [choice] = listIn(chunk, "choices");
    const broken = member(choice, "error");
    if (stringField(broken, "message") !== "") return [{ kind: "failed", error: this.#failure(broken) }];
    // Some servers give the whole answer at once, as if nobody had asked for a stream.
    const delta = member(choice, "delta") ?? (this.#said ? undefined : member(choice, "message"));
    const { text, thinking } = saidAndThought(delta);
    if (thinking !== "") events.push({ kind: "thinking", text: thinking });
    if (text !== "") events.push({ kind: "text", text });
    const refusal = stringField(delta, "refusal");
    if (refusal !== "") {
      this.#refused = true;
      events.push({ kind: "text", text: refusal });
    }
    for (const [position, piece] of listIn(delta, "tool_calls").entries()) {
      const { callId, events: told } = this.#calls.add(piece, position);
      this.#signatures.addFromCall(callId, piece);
      events.push(...told);
    }
    this.#signatures.addFromDetails(listIn(delta, "reasoning_details"));
    this.#said ||= events.length > 0;
    this.#answered ||= text !== "" || refusal !== "";
    this.#finishReason = stringField(choice, "finish_reason") || this.#finishReason;
    const usage = member(chunk, "usage");
    // Some servers tell it with every chunk, and nothing with the last.
    if (countIn(usage, "prompt_tokens") + countIn(usage, "completion_tokens") > 0) {
      events.push({ kind: "usage", usage: toUsage(usage) });
    }
    return events;
  }

  /** The server says that it has said all, or has answered at once. Not all servers say why the model stopped. */
  noteEnd(): void {
    this.#isEnded = true;
  }

  /** The terminal event, once everything has been read; none when nobody ever said that the answer was whole. */
  end(): readonly StreamEvent[] {
    const reason = this.#finishReason;
    if (reason === "" && !this.#isWhole()) return [];
    if (BROKEN_OFF.test(reason)) {
      const why = reason === "error" ? "" : ` It said: ${reason}`;
      const detail = errorDetail(`The server broke the answer off.${why}`, this.#facts.secrets);
      return [{ kind: "failed", error: unavailable(this.#facts.provider, "serverError", detail) }];
    }
    const late = this.#calls.end();
    const signatures = this.#signatures.events(this.#facts.model, this.#calls.ids);
    return [...late, ...signatures, { kind: "done", stopReason: this.#stopReason(reason) }];
  }

  /** Gateways end a stream so as well where the one behind them was cut: a call is then often half a call. */
  #isWhole(): boolean {
    return this.#isEnded && this.#calls.areWhole && (this.#answered || this.#calls.ids.length > 0);
  }

  #stopReason(reason: string): StopReason {
    if (this.#refused || WITHHELD.test(reason)) return "refusal";
    if (/^(?:length|max_tokens|max_output_tokens)$/i.test(reason)) return "maxTokens";
    if (/^(?:model_length|model_context_window_exceeded)$/i.test(reason)) return "contextFull";
    return this.#calls.ids.length > 0 ? "toolUse" : "endTurn";
  }

  #failure(error: unknown): ForgeError {
    const type = stringField(error, "code") || stringField(error, "type");
    const message = stringField(error, "message");
    return httpFailure({ ...this.#facts, status: statusInCode(error), type, message });
  }
}

/** DeepSeek without room for it; vLLM and SGLang where the request was dropped; GLM; Google where the model wrote no call. */
const BROKEN_OFF = /^(?:error|insufficient_system_resource|abort|network_error)$|malformed_function_call/i;

/** OpenAI's word; GLM's, and Google's. */
const WITHHELD = /^content_filter|^(?:sensitive|safety|recitation|prohibited_content|blocklist|spii)$/i;

/** `prompt_tokens` hold the cached ones already. */
function toUsage(wire: unknown): ProviderUsage {
  const prompt = member(wire, "prompt_tokens_details");
  return {
    inputTokens: countIn(wire, "prompt_tokens"),
    outputTokens: countIn(wire, "completion_tokens"),
    cacheReadTokens: countIn(prompt, "cached_tokens"),
    cacheWriteTokens: countIn(prompt, "cache_write_tokens"),
    reasoningTokens: countIn(member(wire, "completion_tokens_details"), "reasoning_tokens"),
  };
}

/** The words of a piece, and the thoughts; empty where it has none. */
interface SaidAndThought {
  readonly text: string;
  readonly thinking: string;
}

/** Reads a delta. */
function saidAndThought(delta: unknown): SaidAndThought {
  const parts = listIn(delta, "content");
  const fields = [stringField(delta, "reasoning_content"), stringField(delta, "reasoning"), detailsIn(delta)];
  // DeepSeek, vLLM and llama.cpp name it so, OpenRouter and Ollama so; some give it twice, some only in detail.
  const reasoning = fields.find((field) => field !== "") ?? "";
  return {
    text: stringField(delta, "content") + parts.map((part) => stringField(part, "text")).join(""),
    thinking: reasoning + parts.flatMap(thoughtsIn).join(""),
  };
}

function detailsIn(delta: unknown): string {
  return listIn(delta, "reasoning_details")
    .map((detail) => stringField(detail, "text") + stringField(detail, "summary"))
    .join("");
}

/** As Mistral's thinking models have it. */
function thoughtsIn(part: unknown): readonly string[] {
  if (stringField(part, "type") !== "thinking") return [];
  return [stringField(part, "thinking"), ...listIn(part, "thinking").map((piece) => stringField(piece, "text"))];
}
