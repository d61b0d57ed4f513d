/**
 * OpenHands' trajectories: a list of events, or for each task a record that contains one. An action of the agent is a
 * call, the observation that it caused the result; an answer of the model is repeated in each event that it led to.
 */

import { toolCallId } from "../../../ids.ts";
import { boundedJson, listIn, member } from "../../../json.ts";
import type { AttachmentPart, ImagePart, Part } from "../../../message.ts";
import type { LocatedValue } from "../../documentReader.ts";
import { omit } from "../../../omit.ts";
import { DamagedLines } from "../damagedLines.ts";
import {
  optionalCount,
  optionalField,
  optionalItems,
  optionalText,
  type Compaction,
  type ForeignConversation,
  type ForeignMessage,
  type ForeignUsage,
  type HeldMessage,
} from "../foreignConversation.ts";
import { isObjectWith, LOOKED_AT, type ForeignFile } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, asSummary } from "../userParts.ts";
import { SdkEvents } from "./openHandsEvents.ts";
import { localTimeMs, textPart } from "./openHandsParts.ts";
import { pictureAt } from "./referredFiles.ts";
import { conversationsIn } from "./severalConversations.ts";

const LISTS = ["history", "trajectory", "events", "items"] as const;

export function isOpenHands(value: unknown): boolean {
  if (isEvent(value)) return true;
  return LISTS.some((name) => listIn(value, name).some((item) => isEvent(Array.isArray(item) ? item[0] : item)));
}

function isEvent(value: unknown): boolean {
  if (!isObjectWith(value, "source", "timestamp")) return false;
  return isObjectWith(value, "action") || isObjectWith(value, "observation") || isSdkKind(member(value, "kind"));
}

/** Events of the agent SDK are named by their class. */
function isSdkKind(kind: unknown): kind is string {
  return typeof kind === "string" && /^(?:[A-Z]\w*Event|UserRejectObservation|Condensation(?:Request)?)$/.test(kind);
}

export function* readOpenHands(file: ForeignFile, holder: MessageHolder): Generator<ForeignConversation> {
  const list = LISTS.map((name) => file.list(name)).find((items) => items !== undefined);
  if (list !== undefined || file.has(isEvent, LOOKED_AT)) {
    const state = file.field("base_state");
    const events = new Events(holder, modelOf(state));
    if (list === undefined) for (const event of file.records(events.damaged)) events.add(event, event.line);
    else events.addAll(list);
    yield events.conversation(optionalText(optionalField(state, "leaf_event_id")));
    return;
  }
  yield* conversationsIn(file, (record) => {
    const lists = LISTS.map((name) => optionalField(record, name)).filter((list) => optionalItems(list).length > 0);
    if (lists.length === 0) return undefined;
    const events = new Events(holder);
    for (const list of lists) events.addAll(file.long.items(list));
    return events.conversation();
  });
}

/** Events of which the user and the model see nothing. */
const UNSEEN = new Set(["change_agent_state", "agent_state_changed", "null", "condensation_request", "recall"]);

class Events {
  readonly damaged = new DamagedLines();
  readonly #holder: MessageHolder;
  readonly #messages: HeldMessage[] = [];
  /** Call of each action, by the id of its event. */
  readonly #calls = new Map<string, string>();
  /** Answers of the model that are read already. */
  readonly #answers = new Set<string>();
  readonly #sdk: SdkEvents;
  /** Numbers of the events that are messages, in the order of the file. */
  readonly #numbers: { readonly number: number; readonly key: string }[] = [];
  #firstForgotten = Infinity;

  constructor(holder: MessageHolder, model = "") {
    this.#holder = holder;
    this.#sdk = new SdkEvents(holder, this.#messages, model);
  }

  /** `at`: id of the event that the conversation stands at. */
  conversation(at = ""): ForeignConversation & { readonly damaged: DamagedLines } {
    const { links } = this.#sdk;
    const current = this.#sdk.messageAt(at);
    const leaf = current === undefined ? {} : { current };
    return {
      title: "",
      messages: this.#messages,
      damaged: this.damaged,
      ...(links.size > 0 ? { links, ...leaf } : {}),
    };
  }

  addAll(events: Iterable<LocatedValue>): void {
    let line = 0;
    for (const event of events) this.add(event, ++line);
  }

  /** An event, or a pair of an action and its observation. */
  add(event: LocatedValue, line: number): void {
    if (Array.isArray(event.value)) {
      for (const each of optionalItems(event)) this.add(each, line);
      return;
    }
    const observation = optionalField(event, "observation");
    const action = optionalField(event, "action");
    const kind = optionalField(event, "kind").value;
    if (isSdkKind(kind)) this.#sdk.add(event, kind);
    else if (typeof observation.value === "string") this.#addObservation(event, observation.value);
    else if (typeof action.value === "string") this.#addAction(event, action.value);
    else this.damaged.add({ line, text: boundedJson(event.value) });
  }

  #addAction(event: LocatedValue, action: string): void {
    const args = optionalField(event, "args");
    const content = optionalText(optionalField(args, "content"));
    const isAgent = optionalField(event, "source").value === "agent";
    if (action === "condensation") this.#addSummary(event, args);
    else if (action === "system") this.#addData(event, "system", content);
    else if (action === "message") {
      const text = content || optionalText(optionalField(event, "message"));
      const parts = [...textPart(text), ...picturesIn(args)];
      if (isAgent) this.#addAnswer(event, parts);
      else this.#push(event, { role: "user", parts });
    } else if (isAgent) this.#addCall(event, action);
    else if (!UNSEEN.has(action)) {
      // What the user did by hand.
      const command = optionalText(optionalField(args, "command")) || optionalText(optionalField(event, "message"));
      this.#addData(event, action, command || boundedJson(args.value));
    }
  }

  #addCall(event: LocatedValue, action: string): void {
    if (UNSEEN.has(action)) return;
    const args = optionalField(event, "args");
    const called = optionalField(event, "tool_call_metadata");
    const id = optionalText(optionalField(called, "tool_call_id")) || `event ${eventId(event)}`;
    this.#calls.set(eventId(event), id);
    const asked = optionalItems(optionalField(messageOfModel(event), "tool_calls")).find(
      (call) => optionalField(call, "id").value === id,
    );
    const input = asked === undefined ? "" : optionalText(optionalField(optionalField(asked, "function"), "arguments"));
    const rest = typeof args.value === "object" && args.value !== null ? omit(args.value as Args, "thought") : {};
    const call: Part = {
      kind: "toolCall",
      callId: toolCallId(id),
      name: optionalText(optionalField(called, "function_name")) || action,
      inputJson: input === "" ? boundedJson(rest) : input,
    };
    const final = action === "finish" ? optionalText(optionalField(args, "final_thought")) : "";
    this.#addAnswer(event, [call], final);
  }

  /** Thoughts and words of the model stand before its first part; `text` where it said nothing else. */
  #addAnswer(event: LocatedValue, parts: readonly Part[], text = ""): void {
    const response = optionalField(optionalField(event, "tool_call_metadata"), "model_response");
    const id = optionalText(optionalField(response, "id"));
    const isFirst = id === "" || !this.#answers.has(id);
    this.#answers.add(id);
    const message = messageOfModel(event);
    const thought = optionalField(optionalField(event, "args"), "thought");
    const reasoning =
      optionalText(optionalField(message, "reasoning_content")) ||
      optionalText(optionalField(thought, "reasoning_content")) ||
      optionalText(optionalField(optionalField(event, "args"), "reasoning_content"));
    const said =
      optionalText(optionalField(message, "content")) ||
      optionalText(thought) ||
      optionalText(optionalField(thought, "text"));
    const isSaid = parts.some((part) => part.kind === "text");
    const before: readonly Part[] = [
      ...(reasoning === "" ? [] : [{ kind: "thinking", text: reasoning } as const]),
      ...textPart(isSaid ? "" : said.trim() === "" ? text : said),
    ];
    const usage = usageIn(optionalField(response, "usage"));
    this.#push(
      event,
      { role: "assistant", parts: isFirst ? [...before, ...parts] : parts },
      { model: optionalText(optionalField(response, "model")), id, ...(usage === undefined ? {} : { usage }) },
    );
  }

  #addObservation(event: LocatedValue, observation: string): void {
    const extras = optionalField(event, "extras");
    const text = optionalText(optionalField(event, "content")) || optionalText(optionalField(event, "message"));
    const called = optionalText(optionalField(optionalField(event, "tool_call_metadata"), "tool_call_id"));
    const id = called || this.#calls.get(eventId(event, "cause"));
    if (observation === "condense") this.#addData(event, "summary", text);
    else if (observation === "recall") this.#addData(event, observation, withFacts(text, extras));
    else if (UNSEEN.has(observation)) return;
    else if (id === undefined) this.#addData(event, observation, text, picturesIn(extras));
    else {
      const callId = toolCallId(id);
      const files = picturesIn(extras).map((part) => ({ callId, part }));
      const shown = files.map(({ part }) =>
        part.kind === "image" ? `[picture: ${part.mediaType}]` : `[${part.label}]`,
      );
      const isError = observation === "error" || optionalField(event, "success").value === false;
      const outcome = observation === "user_rejected" ? "denied" : isError ? "error" : "ok";
      const result: Part = {
        kind: "toolResult",
        callId,
        outcome,
        text: [optionalText(optionalField(event, "content")), ...shown].filter((each) => each !== "").join("\n"),
      };
      this.#push(event, { role: "user", parts: [result] }, files.length === 0 ? {} : { resultFiles: files });
    }
  }

  #addSummary(event: LocatedValue, args: LocatedValue): void {
    const parts = textPart(optionalText(optionalField(args, "summary")));
    const message: ForeignMessage = { ...NOTHING, createdAtMs: timeOf(event), message: { role: "user", parts } };
    if (parts.length > 0) this.#hold(event, asSummary(message, this.#forgotten(args)));
  }

  /** A summary says what an earlier one said, too: its messages are those of both. */
  #forgotten(args: LocatedValue): Compaction | undefined {
    const ids = optionalItems(optionalField(args, "forgotten_event_ids")).map(({ value }) => Number(value));
    const ends = ["start", "end"].map((name) => optionalField(args, `forgotten_events_${name}_id`).value);
    const numbers = [...ids, ...ends.filter((id) => typeof id === "number")].filter(Number.isSafeInteger);
    if (numbers.length === 0) return undefined;
    let [from, to] = [this.#firstForgotten, -Infinity];
    for (const id of numbers) [from, to] = [Math.min(from, id), Math.max(to, id)];
    const last = this.#numbers.findLast(({ number }) => number <= to);
    if (last === undefined || last.number < from) return undefined;
    this.#firstForgotten = from;
    return { after: this.#numbers.findLast(({ number }) => number < from)?.key ?? null, last: last.key };
  }

  #addData(event: LocatedValue, label: string, text: string, files: readonly Part[] = []): void {
    const made: ForeignMessage = {
      ...NOTHING,
      createdAtMs: timeOf(event),
      message: { role: "user", parts: [...textPart(text), ...files] },
    };
    if (made.message.parts.length > 0) this.#hold(event, asData(made, label));
  }

  #push(event: LocatedValue, message: ForeignMessage["message"], more: Partial<ForeignMessage> = {}): void {
    this.#hold(event, { ...NOTHING, createdAtMs: timeOf(event), message, ...more });
  }

  #hold(event: LocatedValue, message: ForeignMessage): void {
    const before = this.#messages.at(-1);
    const follows = before === undefined ? null : before.node?.key;
    const node = follows === undefined ? undefined : { key: `message ${this.#messages.length}`, follows };
    const number = Number(eventId(event) || Number.NaN);
    if (node !== undefined && Number.isSafeInteger(number)) this.#numbers.push({ number, key: node.key });
    this.#messages.push(this.#holder.hold({ ...message, ...(node === undefined ? {} : { node }) }));
  }
}

type Args = Readonly<Record<string, unknown>> & { readonly thought?: unknown };

const NOTHING = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

/** Of the agent as the state of a conversation describes it. */
function modelOf(state: LocatedValue): string {
  return optionalText(optionalField(optionalField(optionalField(state, "agent"), "llm"), "model"));
}

function eventId(event: LocatedValue, field = "id"): string {
  const { value } = optionalField(event, field);
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}

function messageOfModel(event: LocatedValue): LocatedValue {
  const response = optionalField(optionalField(event, "tool_call_metadata"), "model_response");
  const [choice] = optionalItems(optionalField(response, "choices"));
  return choice === undefined ? { value: undefined, path: response.path } : optionalField(choice, "message");
}

function timeOf(event: LocatedValue): number {
  return localTimeMs(optionalField(event, "timestamp"));
}

function picturesIn(place: LocatedValue): readonly (ImagePart | AttachmentPart)[] {
  const addresses = ["image_urls", "images_urls", "file_urls"].flatMap((name) =>
    optionalItems(optionalField(place, name)).map(optionalText),
  );
  const screenshot = optionalText(optionalField(place, "screenshot"));
  return [...new Set([...addresses, screenshot])]
    .filter((address) => address !== "")
    .map((address) => pictureAt(address));
}

/** Recalled facts stand below the text. */
function withFacts(text: string, extras: LocatedValue): string {
  const facts = typeof extras.value === "object" && extras.value !== null ? Object.entries(extras.value) : [];
  const known = facts.filter(([, fact]) => fact !== "" && fact !== null && !(Array.isArray(fact) && fact.length === 0));
  return known.length === 0 ? text : `${text}\n${boundedJson(Object.fromEntries(known))}`;
}

function usageIn(usage: LocatedValue): ForeignUsage | undefined {
  const inputTokens = optionalCount(optionalField(usage, "prompt_tokens"));
  const outputTokens = optionalCount(optionalField(usage, "completion_tokens"));
  if (inputTokens + outputTokens === 0) return undefined;
  const details = optionalField(usage, "prompt_tokens_details");
  const cacheReadTokens =
    optionalCount(optionalField(usage, "cache_read_input_tokens")) ||
    optionalCount(optionalField(details, "cached_tokens"));
  const cacheWriteTokens = optionalCount(optionalField(usage, "cache_creation_input_tokens"));
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}
