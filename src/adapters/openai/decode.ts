/** The chunks of a Chat Completions stream as our events. Servers differ: everything in a chunk may be missing. */

import { toolCallId, type ModelId, type ToolCallId } from "../../core/ids.ts";
import type { RequestFacts } from "../../core/stream/httpFailure.ts";
import type { ProviderUsage, StopReason, StreamEvent } from "../../core/stream/streamEvent.ts";
import { listIn } from "../../core/stream/jsonFields.ts";
import { unavailable } from "../../core/stream/failures.ts";
import { CallSeals } from "./callSeals.ts";

/** What is read of a chunk. The library's own type fits it; its promises do not hold for every server. */
export interface WireChunk {
  readonly choices?: readonly WireChoice[] | null;
  readonly usage?: WireUsage | null;
}

interface WireChoice {
  readonly delta?: WireDelta | null;
  readonly finish_reason?: string | null;
}

interface WireDelta {
  readonly content?: string | null;
  readonly refusal?: string | null;
  /** Reasoning, as DeepSeek, vLLM and llama.cpp name it. */
  readonly reasoning_content?: string | null;
  /** Reasoning, as OpenRouter and Ollama name it. */
  readonly reasoning?: string | null;
  /** The same with what seals it, as OpenRouter has it. */
  readonly reasoning_details?: readonly unknown[] | null;
  readonly tool_calls?: readonly WireToolCall[] | null;
}

interface WireToolCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null;
}

interface WireUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null;
    readonly cache_write_tokens?: number | null;
  } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

/** Whose answer it is. */
export interface ChatFacts extends RequestFacts {
  readonly model: ModelId;
}

/** Decodes one stream, chunk by chunk. Usage may come after the reason to stop, so the end is told apart. */
export class ChatDecoder {
  readonly #calls = new Map<number, ToolCallId>();
  readonly #begun: ToolCallId[] = [];
  readonly #seals = new CallSeals();
  readonly #facts: ChatFacts;
  #finishReason: string | undefined;
  #refused = false;

  /** `facts` are named in the failure of an answer that the server itself broke off. */
  constructor(facts: ChatFacts) {
    this.#facts = facts;
  }

  /** What a chunk says, in order; often nothing. */
  decode(chunk: WireChunk): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    // Only one answer is ever asked for.
    const choice = chunk.choices?.[0];
    const delta = choice?.delta ?? {};
    const reasoning = delta.reasoning_content ?? delta.reasoning ?? "";
    if (reasoning !== "") events.push({ kind: "thinking", text: reasoning });
    if (isFilled(delta.content)) events.push({ kind: "text", text: delta.content });
    if (isFilled(delta.refusal)) {
      this.#refused = true;
      events.push({ kind: "text", text: delta.refusal });
    }
    for (const [position, call] of (delta.tool_calls ?? []).entries()) events.push(...this.#call(call, position));
    this.#seals.lookInDetails(listIn(delta, "reasoning_details"));
    if (isFilled(choice?.finish_reason)) this.#finishReason = choice.finish_reason;
    if (chunk.usage) events.push({ kind: "usage", usage: toUsage(chunk.usage) });
    return events;
  }

  /** The terminal event, once everything has been read; none when the model never said that it was done. */
  end(): readonly StreamEvent[] {
    if (this.#finishReason === undefined) return [];
    if (this.#finishReason === "error") {
      return [
        { kind: "failed", error: unavailable(this.#facts.provider, "serverError", "The server broke the answer off.") },
      ];
    }
    const seals = this.#seals.events(this.#facts.model, this.#begun);
    return [...seals, { kind: "done", stopReason: this.#stopReason(this.#finishReason) }];
  }

  #call(call: WireToolCall, position: number): readonly StreamEvent[] {
    const index = call.index ?? position;
    const events: StreamEvent[] = [];
    let callId = this.#calls.get(index);
    // Some servers give every call the index 0, and a new id.
    if (callId === undefined || (isFilled(call.id) && call.id !== callId)) {
      callId = toolCallId(isFilled(call.id) ? call.id : `call_${String(index)}`);
      this.#calls.set(index, callId);
      this.#begun.push(callId);
      events.push({ kind: "toolCallStart", callId, name: call.function?.name ?? "" });
    }
    this.#seals.lookInCall(callId, call);
    const json = call.function?.arguments ?? "";
    if (json !== "") events.push({ kind: "toolCallArgs", callId, json });
    return events;
  }

  #stopReason(finishReason: string): StopReason {
    if (this.#refused || finishReason === "content_filter") return "refusal";
    if (finishReason === "length") return "maxTokens";
    return this.#calls.size > 0 ? "toolUse" : "endTurn";
  }
}

function isFilled(value: string | null | undefined): value is string {
  return typeof value === "string" && value !== "";
}

/** `prompt_tokens` hold the cached ones already. */
function toUsage(wire: WireUsage): ProviderUsage {
  return {
    inputTokens: wire.prompt_tokens ?? 0,
    outputTokens: wire.completion_tokens ?? 0,
    cacheReadTokens: wire.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: wire.prompt_tokens_details?.cache_write_tokens ?? 0,
    reasoningTokens: wire.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}
