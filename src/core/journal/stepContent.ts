/** Encodes and decodes the rows of a step. Decoding never fails: what cannot be read is `undefined`. */

import { countIn, tryParseJson } from "../json.ts";
import { modelId, messageId, toolCallId, type MessageId, type ModelId } from "../ids.ts";
import type { ModelLimits } from "../models/modelLimits.ts";
import { assertNever } from "../result.ts";
import type { StreamEvent } from "../stream/streamEvent.ts";
import type { JournalEventType, StreamRowType } from "../store/journalRow.ts";

export interface StepBeginning {
  readonly model: ModelId;
  /** Newest message of the history when the answer began: the question. */
  readonly asked: MessageId;
  /** The answer that this one goes on with. */
  readonly continues?: MessageId;
  /** Of the request; absent in steps of earlier versions. */
  readonly limits?: ModelLimits;
}

/** A row without step, number and time. */
export interface RowContent<Type extends JournalEventType = JournalEventType> {
  readonly eventType: Type;
  readonly content: string;
}

export function beginContent({ model, asked, continues, limits }: StepBeginning): RowContent<StreamRowType> {
  return { eventType: "begin", content: JSON.stringify({ model, asked, continues, limits }) };
}

/** `undefined` when malformed. */
export function parseBegin(content: string): StepBeginning | undefined {
  const value = parseObject(content);
  const { model, asked, continues } = value;
  if (typeof model !== "string" || !isNatural(asked)) return undefined;
  const limits = limitsIn(value.limits);
  return {
    model: modelId(model),
    asked: messageId(asked),
    ...(isNatural(continues) ? { continues: messageId(continues) } : {}),
    ...(limits === undefined ? {} : { limits }),
  };
}

function limitsIn(value: unknown): ModelLimits | undefined {
  const [contextWindow, maxOutput] = [countIn(value, "contextWindow"), countIn(value, "maxOutput")];
  return contextWindow === 0 || maxOutput === 0 ? undefined : { contextWindow, maxOutput };
}

function isNatural(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Joins adjacent text and adjacent thinking; transient events have no row. */
export function rowContents(events: readonly StreamEvent[]): readonly RowContent<StreamRowType>[] {
  const rows: RowContent<StreamRowType>[] = [];
  for (const event of events) {
    const row = rowContent(event);
    if (row === undefined) continue;
    const last = rows.at(-1);
    const joins = last?.eventType === row.eventType && (row.eventType === "text" || row.eventType === "thinking");
    if (joins) rows[rows.length - 1] = { eventType: row.eventType, content: last.content + row.content };
    else rows.push(row);
  }
  return rows;
}

function rowContent(event: StreamEvent): RowContent<StreamRowType> | undefined {
  switch (event.kind) {
    case "text":
    case "thinking":
      return event.text === "" ? undefined : { eventType: event.kind, content: event.text };
    case "textWasThinking":
      return { eventType: "textWasThinking", content: "" };
    case "thinkingSignature":
      return { eventType: "thinkingSignature", content: event.signature };
    case "toolCallStart":
      return { eventType: "toolCallStart", content: JSON.stringify({ callId: event.callId, name: event.name }) };
    case "toolCallArgs":
      return { eventType: "toolCallArgs", content: JSON.stringify({ callId: event.callId, json: event.json }) };
    case "usage":
      return { eventType: "usage", content: JSON.stringify(event.usage) };
    case "done":
      return { eventType: "done", content: JSON.stringify({ stopReason: event.stopReason }) };
    case "failed":
      return { eventType: "error", content: JSON.stringify(event.error) };
    case "ping":
    case "answered":
    case "waiting":
    case "reading":
      return undefined;
    default:
      return assertNever(event);
  }
}

/** The content event in a row; `undefined` for rows of other kinds and malformed ones. */
export function contentEvent({ eventType, content }: RowContent): ContentEvent | undefined {
  switch (eventType) {
    case "text":
    case "thinking":
      return { kind: eventType, text: content };
    case "textWasThinking":
      return { kind: "textWasThinking" };
    case "thinkingSignature":
      return { kind: "thinkingSignature", signature: content };
    case "toolCallStart":
    case "toolCallArgs":
      return toolEvent(eventType, parseObject(content));
    default:
      return undefined;
  }
}

/** Events that carry parts of a message. */
export type ContentEvent = Extract<
  StreamEvent,
  { kind: "text" | "thinking" | "textWasThinking" | "thinkingSignature" | "toolCallStart" | "toolCallArgs" }
>;

function toolEvent(kind: "toolCallStart" | "toolCallArgs", value: StoredObject): ContentEvent | undefined {
  const { callId, name, json } = value;
  if (typeof callId !== "string") return undefined;
  if (kind === "toolCallStart")
    return typeof name === "string" ? { kind, callId: toolCallId(callId), name } : undefined;
  return typeof json === "string" ? { kind, callId: toolCallId(callId), json } : undefined;
}

/** Untrusted fields of a stored object. */
export interface StoredObject {
  readonly [name: string]: unknown;
  readonly model?: unknown;
  readonly asked?: unknown;
  readonly continues?: unknown;
  readonly limits?: unknown;
  readonly callId?: unknown;
  readonly name?: unknown;
  readonly json?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly from?: unknown;
  readonly askedAtMs?: unknown;
  readonly outcome?: unknown;
  readonly text?: unknown;
  readonly title?: unknown;
  readonly place?: unknown;
  readonly durationMs?: unknown;
  readonly sources?: unknown;
  readonly problems?: unknown;
  readonly stopReason?: unknown;
}

/** Empty when the text is no JSON object. */
export function parseObject(json: string): StoredObject {
  const value = tryParseJson(json);
  return typeof value === "object" && value !== null ? { ...value } : {};
}
