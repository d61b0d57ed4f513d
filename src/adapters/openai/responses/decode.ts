/**
 * The events of a Responses stream as ours. What is unknown is passed over: the service adds kinds of items every month.
 * Each event is numbered, so one that comes twice counts once; what came in pieces is not taken again as a whole. LiteLLM
 * numbers a message like the reasoning before it, and its end like an event long ago; llama.cpp numbers nothing.
 */

import type { ForgeError } from "../../../core/errors.ts";
import type { ToolCallId } from "../../../core/ids.ts";
import { CallIds } from "../../http/callIds.ts";
import { errorDetail } from "../../../core/stream/errorDetail.ts";
import { httpFailure, type RequestFacts } from "../../http/httpFailure.ts";
import { countIn, listIn, member, stringField } from "../../../core/json.ts";
import { openAiSignature } from "../../http/signatures.ts";
import type { ProviderUsage, StopReason, StreamEvent } from "../../../core/stream/streamEvent.ts";

/** An item of the answer that has begun: a message, a call, a stretch of reasoning. */
interface Item {
  /** Absent: empty. Some services give it another one in each event. */
  id: string;
  readonly callId: ToolCallId | undefined;
  /** Whether any piece of it has come. */
  hasPieces: boolean;
  isDone: boolean;
}

/** Where an event belongs. */
interface Place {
  /** The number of its item, or the id where it comes without one. */
  readonly key: number | string;
  readonly id: string;
}

/** Decodes one stream, event by event. */
export class ResponsesDecoder {
  readonly #items = new Map<number | string, Item>();
  readonly #callIds = new CallIds();
  readonly #facts: RequestFacts;
  #lastNumber = -1;
  #called = false;
  #refused = false;

  /** `facts` are named in the failure of an answer that the service broke off. */
  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  /** What an event says, in order; often nothing. */
  decode(event: unknown): readonly StreamEvent[] {
    const type = stringField(event, "type");
    const number = member(event, "sequence_number");
    if (typeof number === "number") {
      // An item ends only once, whatever is said of it.
      if (number <= this.#lastNumber && type !== "response.output_item.done") return [];
      this.#lastNumber = Math.max(this.#lastNumber, number);
    }
    const place = placeOf(event);
    const piece = stringField(event, "delta");
    switch (type) {
      case "response.output_item.added":
        return this.#begin(place, member(event, "item"));
      case "response.output_text.delta":
        return this.#text(place, piece);
      case "response.refusal.delta":
        this.#refused ||= piece !== "";
        return this.#text(place, piece);
      case "response.reasoning_summary_part.added":
        return countIn(event, "summary_index") === 0 ? [] : [{ kind: "thinking", text: "\n\n" }];
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#pieceOf(place) === undefined || piece === "" ? [] : [{ kind: "thinking", text: piece }];
      case "response.function_call_arguments.delta":
        return this.#args(place, piece);
      case "response.output_item.done":
        return this.#finish(place, member(event, "item"));
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

  #begin(place: Place, item: unknown): readonly StreamEvent[] {
    if (this.#itemAt(place) !== undefined) return [];
    const isCall = stringField(item, "type") === "function_call";
    const callId = isCall ? this.#callIds.next(stringField(item, "call_id")) : undefined;
    this.#items.set(place.key, { id: place.id, callId, hasPieces: false, isDone: false });
    if (callId === undefined) return [];
    this.#called = true;
    return [{ kind: "toolCallStart", callId, name: stringField(item, "name") }];
  }

  /** The item that has begun at a place. Behind its end the number may stand for another one. */
  #itemAt({ key, id }: Place): Item | undefined {
    const item = this.#items.get(key);
    return item?.isDone === true && id !== "" && id !== item.id ? undefined : item;
  }

  /** The item to which a piece belongs; `undefined` where it has ended. */
  #pieceOf(place: Place): Item | undefined {
    const item = this.#itemAt(place) ?? { id: place.id, callId: undefined, hasPieces: false, isDone: false };
    this.#items.set(place.key, item);
    if (item.isDone) return undefined;
    item.hasPieces = true;
    return item;
  }

  #text(place: Place, text: string): readonly StreamEvent[] {
    return text === "" || this.#pieceOf(place) === undefined ? [] : [{ kind: "text", text }];
  }

  #args(place: Place, json: string): readonly StreamEvent[] {
    const callId = json === "" ? undefined : this.#pieceOf(place)?.callId;
    return callId === undefined ? [] : [{ kind: "toolCallArgs", callId, json }];
  }

  /** The whole item: what of it did not come in pieces is taken from here. */
  #finish(place: Place, whole: unknown): readonly StreamEvent[] {
    const begun = this.#begin(place, whole);
    const item = this.#items.get(place.key);
    if (item === undefined || item.isDone) return begun;
    const missed = item.hasPieces ? [] : wholeContent(whole, item.callId);
    item.isDone = true;
    item.id = place.id;
    this.#refused ||= listIn(whole, "content").some((part) => stringField(part, "refusal") !== "");
    const id = stringField(whole, "id");
    const encrypted = stringField(whole, "encrypted_content");
    const isEncrypted = stringField(whole, "type") === "reasoning" && encrypted !== "" && id !== "";
    const signature: readonly StreamEvent[] = isEncrypted
      ? [{ kind: "thinkingSignature", signature: openAiSignature({ id, encrypted }) }]
      : [];
    return [...begun, ...missed, ...signature];
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

  /** Gateways say that an answer is cut, and often not why: mostly there was no more room. */
  #stopReason(why: string, isCut: boolean): StopReason {
    if (this.#refused || why === "content_filter") return "refusal";
    if (isCut || why === "max_output_tokens") return "maxTokens";
    return this.#called ? "toolUse" : "endTurn";
  }

  /** `error` says a code and a message; gateways put them one level down. */
  #failure(error: unknown): ForgeError {
    const inner = member(error, "error") ?? error;
    const message = stringField(inner, "message");
    const detail = message === "" ? errorDetail("The service broke the answer off.") : message;
    return httpFailure({ ...this.#facts, type: stringField(inner, "code"), message: detail });
  }
}

/** The pieces of a call without an id have that of the call. */
function placeOf(event: unknown): Place {
  const item = member(event, "item");
  const id = stringField(event, "item_id") || stringField(item, "id") || stringField(item, "call_id");
  const index = member(event, "output_index");
  return { key: typeof index === "number" ? index : id, id };
}

/** The events that would have said the same as an answer that came as a whole; `undefined` where `body` is none. */
export function wholeResponse(body: unknown): readonly unknown[] | undefined {
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

/** `input_tokens` hold the cached ones already. */
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
