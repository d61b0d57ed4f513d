/**
 * Decoder for Responses streams. Ignores unknown events: the service adds kinds of items every month. Drops repeated
 * events by their sequence number, and does not take streamed content again from the whole item. LiteLLM gives a
 * message the index of the reasoning before it, and its end an old sequence number; llama.cpp numbers nothing.
 */

import type { ForgeError } from "../../../core/errors.ts";
import type { ToolCallId } from "../../../core/ids.ts";
import { CallIds } from "../../http/callIds.ts";
import { errorDetail } from "../../../core/stream/errorDetail.ts";
import { httpFailure, type RequestFacts } from "../../http/httpFailure.ts";
import { countIn, listIn, member, stringField } from "../../../core/json.ts";
import { openAiSignature } from "../../http/signatures.ts";
import type { ProviderUsage, StopReason, StreamEvent } from "../../../core/stream/streamEvent.ts";

/** Started item of the answer: a message, a call or reasoning. */
interface Item {
  /** Empty when absent. Some services change it with every event. */
  id: string;
  readonly callId: ToolCallId | undefined;
  /** Whether any delta has been received. */
  hasPieces: boolean;
  isDone: boolean;
}

/** Item that an event belongs to. */
interface ItemKey {
  /** Output index, or the id if the event has no index. */
  readonly key: number | string;
  readonly id: string;
}

export class ResponsesDecoder {
  readonly #items = new Map<number | string, Item>();
  readonly #callIds = new CallIds();
  readonly #facts: RequestFacts;
  #lastNumber = -1;
  #called = false;
  #refused = false;

  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  decode(event: unknown): readonly StreamEvent[] {
    const type = stringField(event, "type");
    const number = member(event, "sequence_number");
    if (typeof number === "number") {
      // Exempt from the check: the item itself knows whether it has ended.
      if (number <= this.#lastNumber && type !== "response.output_item.done") return [];
      this.#lastNumber = Math.max(this.#lastNumber, number);
    }
    const itemKey = itemKeyOf(event);
    const piece = stringField(event, "delta");
    switch (type) {
      case "response.output_item.added":
        return this.#begin(itemKey, member(event, "item"));
      case "response.output_text.delta":
        return this.#text(itemKey, piece);
      case "response.refusal.delta":
        this.#refused ||= piece !== "";
        return this.#text(itemKey, piece);
      case "response.reasoning_summary_part.added":
        return countIn(event, "summary_index") === 0 ? [] : [{ kind: "thinking", text: "\n\n" }];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#openItemAt(itemKey) === undefined || piece === "" ? [] : [{ kind: "thinking", text: piece }];
      case "response.function_call_arguments.delta":
        return this.#args(itemKey, piece);
      case "response.output_item.done":
        return this.#finish(itemKey, member(event, "item"));
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        return this.#end(member(event, "response"), type);
      case "error":
        return [{ kind: "failed", error: this.#failure(event) }];
      default:
        return [];
    }
  }

  #begin(itemKey: ItemKey, item: unknown): readonly StreamEvent[] {
    if (this.#itemAt(itemKey) !== undefined) return [];
    const isCall = stringField(item, "type") === "function_call";
    const callId = isCall ? this.#callIds.next(stringField(item, "call_id")) : undefined;
    this.#items.set(itemKey.key, { id: itemKey.id, callId, hasPieces: false, isDone: false });
    if (callId === undefined) return [];
    this.#called = true;
    return [{ kind: "toolCallStart", callId, name: stringField(item, "name") }];
  }

  /** After an item has ended, its index may be used for another one. */
  #itemAt({ key, id }: ItemKey): Item | undefined {
    const item = this.#items.get(key);
    return item?.isDone === true && id !== "" && id !== item.id ? undefined : item;
  }

  /** Item that a delta belongs to; `undefined` when it has ended already. */
  #openItemAt(itemKey: ItemKey): Item | undefined {
    const item = this.#itemAt(itemKey) ?? { id: itemKey.id, callId: undefined, hasPieces: false, isDone: false };
    this.#items.set(itemKey.key, item);
    if (item.isDone) return undefined;
    item.hasPieces = true;
    return item;
  }

  #text(itemKey: ItemKey, text: string): readonly StreamEvent[] {
    return text === "" || this.#openItemAt(itemKey) === undefined ? [] : [{ kind: "text", text }];
  }

  #args(itemKey: ItemKey, json: string): readonly StreamEvent[] {
    const callId = json === "" ? undefined : this.#openItemAt(itemKey)?.callId;
    return callId === undefined ? [] : [{ kind: "toolCallArgs", callId, json }];
  }

  /** Takes from the whole item what was not streamed. */
  #finish(itemKey: ItemKey, whole: unknown): readonly StreamEvent[] {
    const begun = this.#begin(itemKey, whole);
    const item = this.#items.get(itemKey.key);
    if (item === undefined || item.isDone) return begun;
    const unstreamed = item.hasPieces ? [] : wholeContent(whole, item.callId);
    item.isDone = true;
    item.id = itemKey.id;
    this.#refused ||= listIn(whole, "content").some((part) => stringField(part, "refusal") !== "");
    const id = stringField(whole, "id");
    const encrypted = stringField(whole, "encrypted_content");
    const isEncrypted = stringField(whole, "type") === "reasoning" && encrypted !== "" && id !== "";
    const signature: readonly StreamEvent[] = isEncrypted
      ? [{ kind: "thinkingSignature", signature: openAiSignature({ id, encrypted }) }]
      : [];
    return [...begun, ...unstreamed, ...signature];
  }

  #end(response: unknown, type: string): readonly StreamEvent[] {
    const billed = member(response, "usage");
    const usage: readonly StreamEvent[] =
      typeof billed === "object" && billed !== null ? [{ kind: "usage", usage: toUsage(billed) }] : [];
    const failed = member(response, "error");
    if (stringField(response, "status") === "failed" || (failed !== undefined && failed !== null)) {
      return [...usage, { kind: "failed", error: this.#failure(failed) }];
    }
    const why = stringField(member(response, "incomplete_details"), "reason");
    const isCut = type === "response.incomplete" || stringField(response, "status") === "incomplete";
    return [...usage, { kind: "done", stopReason: this.#stopReason(why, isCut) }];
  }

  /** Gateways often report a cut answer without the reason, which is mostly the output limit. */
  #stopReason(why: string, isCut: boolean): StopReason {
    if (this.#refused || why === "content_filter") return "refusal";
    if (isCut || why === "max_output_tokens") return "maxTokens";
    return this.#called ? "toolUse" : "endTurn";
  }

  /** Gateways nest code and message one level deeper. */
  #failure(error: unknown): ForgeError {
    const inner = member(error, "error") ?? error;
    const message = stringField(inner, "message");
    const detail = message === "" ? errorDetail("The service broke the answer off.") : message;
    return httpFailure({ ...this.#facts, type: stringField(inner, "code"), message: detail });
  }
}

/** Deltas of a call without an item id carry its call id. */
function itemKeyOf(event: unknown): ItemKey {
  const item = member(event, "item");
  const id = stringField(event, "item_id") || stringField(item, "id") || stringField(item, "call_id");
  const index = member(event, "output_index");
  return { key: typeof index === "number" ? index : id, id };
}

/** Events equivalent to a response that was not streamed; `undefined` when `body` is no response. */
export function eventsOfWholeResponse(body: unknown): readonly unknown[] | undefined {
  if (stringField(body, "object") !== "response") return undefined;
  const items = listIn(body, "output").map((item, output_index) => {
    return { type: "response.output_item.done", output_index, item };
  });
  return [...items, { type: "response.completed", response: body }];
}

function wholeContent(item: unknown, callId: ToolCallId | undefined): readonly StreamEvent[] {
  if (callId !== undefined) {
    const json = stringField(item, "arguments");
    return json === "" ? [] : [{ kind: "toolCallArgs", callId, json }];
  }
  if (stringField(item, "type") === "message") {
    const text = listIn(item, "content").map((part) => stringField(part, "text") + stringField(part, "refusal"));
    return text.join("") === "" ? [] : [{ kind: "text", text: text.join("") }];
  }
  const text = listIn(item, "summary").map((part) => stringField(part, "text"));
  return text.length === 0 ? [] : [{ kind: "thinking", text: text.join("\n\n") }];
}

/** `input_tokens` includes cached tokens. */
function toUsage(wire: object): ProviderUsage {
  const input = member(wire, "input_tokens_details");
  return {
    inputTokens: countIn(wire, "input_tokens"),
    outputTokens: countIn(wire, "output_tokens"),
    cacheReadTokens: countIn(input, "cached_tokens"),
    cacheWriteTokens: countIn(input, "cache_write_tokens"),
    reasoningTokens: countIn(member(wire, "output_tokens_details"), "reasoning_tokens"),
  };
}
