/**
 * Decoder for Responses streams. Ignores unknown events: the service adds kinds of items every month. Takes from a whole
 * item, and from the whole response at the end, only what was not streamed; an answer that lacks more than its last part
 * is not complete. LiteLLM gives a message the index of the reasoning before it; llama.cpp numbers nothing.
 */

import { isDeepStrictEqual } from "node:util";
import { type ForgeError, unavailable } from "../../../core/errors.ts";
import type { ToolCallId } from "../../../core/ids.ts";
import { CallIds } from "../../http/callIds.ts";
import { errorIn } from "../../http/errorBody.ts";
import { failureInSuccess, type RequestFacts } from "../../http/httpFailure.ts";
import { countIn, listIn, member, stringField, tryParseJson } from "../../../core/json.ts";
import { openAiSignature } from "../../http/signatures.ts";
import type { StopReason, StreamEvent } from "../../../core/stream/streamEvent.ts";
import { stopReasonOf } from "../../http/stopReasons.ts";
import { UsageCounts } from "../../http/usage.ts";
import { RepeatedEvents } from "./repeatedEvents.ts";

/** Started item of the answer: a message, a call or reasoning. */
interface Item {
  /** Empty when absent. Some services change it with every event. */
  id: string;
  readonly call: Call | undefined;
  /** As streamed. */
  text: string;
  thinking: string;
  isDone: boolean;
}

interface Call {
  readonly callId: ToolCallId;
  /** The server's own; may be empty. */
  readonly given: string;
  /** Arguments as streamed. */
  json: string;
}

/** Item that an event belongs to. */
interface ItemKey {
  /** Output index, or the id if the event has no index. */
  readonly key: number | string;
  readonly id: string;
}

export class ResponsesDecoder {
  readonly #items = new Map<number | string, Item>();
  readonly #repeats = new RepeatedEvents();
  readonly #callIds = new CallIds();
  readonly #calls: Call[] = [];
  readonly #facts: RequestFacts;
  /** All text of the answer. */
  #text = "";
  #refused = false;

  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  decode(event: unknown): readonly StreamEvent[] {
    return this.#repeats.admit(event).flatMap((admitted) => this.#decode(admitted));
  }

  #decode(event: unknown): readonly StreamEvent[] {
    const type = stringField(event, "type");
    const itemKey = itemKeyOf(event);
    const piece = stringField(event, "delta");
    switch (type) {
      case "response.output_item.added":
        return this.#begin(itemKey, member(event, "item"));
      case "response.output_text.delta":
        return this.#addText(this.#openItemAt(itemKey), piece);
      case "response.refusal.delta":
        this.#refused ||= piece !== "";
        return this.#addText(this.#openItemAt(itemKey), piece);
      case "response.reasoning_summary_part.added":
        return countIn(event, "summary_index") === 0 ? [] : this.#addThinking(this.#openItemAt(itemKey), "\n\n");
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#addThinking(this.#openItemAt(itemKey), piece);
      case "response.function_call_arguments.delta":
        return addArguments(this.#openItemAt(itemKey)?.call, piece);
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
    const [call, events] = isCall ? this.#startCall(item) : [undefined, []];
    this.#items.set(itemKey.key, { id: itemKey.id, call, text: "", thinking: "", isDone: false });
    return events;
  }

  #startCall(item: unknown): readonly [Call, readonly StreamEvent[]] {
    const given = stringField(item, "call_id");
    const call = { callId: this.#callIds.next(given), given, json: "" };
    this.#calls.push(call);
    return [call, [{ kind: "toolCallStart", callId: call.callId, name: stringField(item, "name") }]];
  }

  /** After an item has ended, its index may be used for another one. */
  #itemAt({ key, id }: ItemKey): Item | undefined {
    const item = this.#items.get(key);
    return item?.isDone === true && id !== "" && id !== item.id ? undefined : item;
  }

  /** Item that a delta belongs to; `undefined` when it has ended already. */
  #openItemAt(itemKey: ItemKey): Item | undefined {
    const item = this.#itemAt(itemKey) ?? { id: itemKey.id, call: undefined, text: "", thinking: "", isDone: false };
    this.#items.set(itemKey.key, item);
    return item.isDone ? undefined : item;
  }

  #addText(item: Item | undefined, text: string): readonly StreamEvent[] {
    if (item === undefined || text === "") return [];
    item.text += text;
    this.#text += text;
    return [{ kind: "text", text }];
  }

  #addThinking(item: Item | undefined, text: string): readonly StreamEvent[] {
    if (item === undefined || text === "") return [];
    item.thinking += text;
    return [{ kind: "thinking", text }];
  }

  #finish(itemKey: ItemKey, whole: unknown): readonly StreamEvent[] {
    const begun = this.#begin(itemKey, whole);
    const item = this.#items.get(itemKey.key);
    if (item === undefined || item.isDone) return begun;
    const isMessage = stringField(whole, "type") === "message";
    const unstreamed = [
      ...(isMessage ? this.#addText(item, missingIn(item.text, messageText(whole)) ?? "") : []),
      ...(item.call === undefined ? [] : addArguments(item.call, missingArguments(item.call, whole) ?? "")),
      ...this.#addThinking(item, missingIn(item.thinking, reasoningText(whole)) ?? ""),
    ];
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
    const billed = new UsageCounts().add(response);
    const usage: readonly StreamEvent[] = billed === undefined ? [] : [{ kind: "usage", usage: billed }];
    const failed = member(response, "error");
    if (stringField(response, "status") === "failed" || (failed !== undefined && failed !== null)) {
      return [...usage, { kind: "failed", error: this.#failure({ error: failed }) }];
    }
    const why = stringField(member(response, "incomplete_details"), "reason");
    const isCut = type === "response.incomplete" || stringField(response, "status") === "incomplete";
    const { events, isComplete } = this.#unstreamed(response);
    const end: StreamEvent =
      isComplete || isCut
        ? { kind: "done", stopReason: this.#stopReason(why, isCut) }
        : { kind: "failed", error: unavailable(this.#facts.provider, "badAnswer", LOST_PARTS) };
    return [...events, ...usage, end];
  }

  /** Content of the whole response that was not streamed; not complete if it does not continue what was streamed. */
  #unstreamed(response: unknown): { readonly events: readonly StreamEvent[]; readonly isComplete: boolean } {
    const output = listIn(response, "output");
    const messages = output.filter((item) => stringField(item, "type") === "message");
    this.#refused ||= messages.some((item) =>
      listIn(item, "content").some((part) => stringField(part, "refusal") !== ""),
    );
    const text = missingIn(this.#text, messages.map(messageText).join("") || stringField(response, "output_text"));
    const events: StreamEvent[] = text === undefined || text === "" ? [] : [{ kind: "text", text }];
    let isComplete = text !== undefined;
    const wholeCalls = output.filter((item) => stringField(item, "type") === "function_call");
    const matches = callsMatching(wholeCalls, this.#calls);
    for (const item of wholeCalls) {
      const match = matches.get(item);
      const [call, started] = match === undefined ? this.#startCall(item) : [match, []];
      const json = missingArguments(call, item);
      events.push(...started, ...addArguments(call, json ?? ""));
      isComplete &&= json !== undefined;
    }
    return { events, isComplete };
  }

  /** Gateways often report a cut answer without the reason, which is mostly the output limit. */
  #stopReason(why: string, isCut: boolean): StopReason {
    if (this.#refused) return "refusal";
    return stopReasonOf(why) ?? (isCut ? "maxTokens" : this.#calls.length > 0 ? "toolUse" : "endTurn");
  }

  #failure(body: unknown): ForgeError {
    const told = errorIn(body) ?? { type: "", moreTypes: [], message: "" };
    const message = told.message === "" ? "The service broke the answer off." : told.message;
    return failureInSuccess(this.#facts, { ...told, message });
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

const LOST_PARTS = "Parts of the answer were lost on the way: the service reports a longer one than it streamed.";

/** Rest of `whole` after `received`; `undefined` if `received` is shorter and `whole` does not continue it. */
function missingIn(received: string, whole: string): string | undefined {
  if (whole.startsWith(received)) return whole.slice(received.length);
  return received.length >= whole.length ? "" : undefined;
}

/** The same for arguments of a call, which gateways write anew, with other white space. */
function missingArguments({ json }: Call, whole: unknown): string | undefined {
  const wholeJson = stringField(whole, "arguments");
  const received = tryParseJson(json);
  const isSame = received !== undefined && isDeepStrictEqual(received, tryParseJson(wholeJson));
  return isSame ? "" : missingIn(json, wholeJson);
}

/** Streamed calls by whole call: those with the same id, and the others in order, as gateways may change the ids. */
function callsMatching(wholeCalls: readonly unknown[], streamed: readonly Call[]): ReadonlyMap<unknown, Call> {
  const matches = new Map<unknown, Call>();
  const left = new Set(streamed);
  const isSame = [
    ({ given }: Call, item: unknown): boolean => given !== "" && given === stringField(item, "call_id"),
    (): boolean => true,
  ];
  for (const matching of isSame) {
    for (const item of wholeCalls.filter((each) => !matches.has(each))) {
      const call = [...left].find((each) => matching(each, item));
      if (call === undefined) continue;
      matches.set(item, call);
      left.delete(call);
    }
  }
  return matches;
}

function addArguments(call: Call | undefined, json: string): readonly StreamEvent[] {
  if (call === undefined || json === "") return [];
  call.json += json;
  return [{ kind: "toolCallArgs", callId: call.callId, json }];
}

function messageText(item: unknown): string {
  return listIn(item, "content")
    .map((part) => stringField(part, "text") + stringField(part, "refusal"))
    .join("");
}

function reasoningText(item: unknown): string {
  return listIn(item, "summary")
    .map((part) => stringField(part, "text"))
    .join("\n\n");
}
