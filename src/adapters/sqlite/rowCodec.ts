/**
 * Encoding of records and messages in the tables: JSON with a checksum, so no flipped byte is read as content.
 * The worker writes and verifies rows; the host parses them, which is the only place where stored text gets a type.
 */

import { crc32 } from "node:zlib";
import { tryParseJson } from "../../core/json.ts";
import type { ConversationRecord, IndexRecord } from "../../core/history/records.ts";
import { parseStepId } from "../../core/ids.ts";
import type { JournalEventType, JournalRow } from "../../core/store/journalRow.ts";
import type { StoredMessage } from "../../core/message.ts";
import type { RankedHit } from "../../core/search/ranking/rankedSearch.ts";
import type { SearchHit } from "../../core/search/bestHits.ts";
import { DamagedRow, numberColumn, textColumn, type SqlRow } from "./engine/engine.ts";

/** The part of a record that goes into the index: everything except a message's content. */
export function indexPart(record: ConversationRecord): IndexRecord {
  return record.kind === "message" ? { kind: "entry", entry: record.entry } : record;
}

/** CRC-32 of the concatenated texts. A message's checksum covers its id, which is part of its entry. */
export function checksum(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => crc32(text, sum), 0);
}

/** The same of text in UTF-8, after that of what comes `before` it. */
export function bytesChecksum(bytes: Uint8Array, before = 0): number {
  return crc32(bytes, before);
}

/** The number is included because it decides the record's place in the order. */
export function recordChecksum(number: number, body: string): number {
  return checksum(String(number), body);
}

/** The JSON of a row of `record`; throws {@link DamagedRow} on a checksum mismatch. */
export function recordJson(row: SqlRow): string {
  const body = textColumn(row, "body");
  const number = numberColumn(row, "number");
  if (recordChecksum(number, body) !== numberColumn(row, "checksum")) throw new DamagedRow(`record ${number}`);
  return body;
}

/** The JSON of a {@link StoredMessage} from a row of `message`; throws {@link DamagedRow} on a checksum mismatch. */
export function messageJson(row: SqlRow): string {
  const entry = textColumn(row, "entry");
  const body = textColumn(row, "body");
  if (checksum(entry, body) !== numberColumn(row, "checksum"))
    throw new DamagedRow(`message ${numberColumn(row, "id")}`);
  return storedJson({ entry, body });
}

/** The JSON of a {@link StoredMessage}. */
export function storedJson({ entry, body }: Pick<MessageTexts, "entry" | "body">): string {
  return `{"entry":${entry},"message":${body}}`;
}

/** A row of `record` in one column, `line`: each column and each row more costs several calls into the engine. */
export const RECORD_LINE = "number || ' ' || checksum || ' ' || body AS line";
/** The same for a row of `message`. JSON has no line break. */
export const MESSAGE_LINE = "id || ' ' || checksum || ' ' || entry || char(10) || body AS line";

/** {@link recordJson} of each {@link RECORD_LINE} in the column `lines`. */
export function recordsOfLines(row: SqlRow): readonly { readonly number: number; readonly json: string }[] {
  if (row["lines"] === null) return [];
  return textColumn(row, "lines")
    .split("\n")
    .map((line) => {
      const [number, stored, json] = partsOf(line);
      if (recordChecksum(number, json) !== stored) throw new DamagedRow(`record ${number}`);
      return { number, json };
    });
}

/** A message as it is stored, with a checksum that was right. */
export interface MessageTexts {
  readonly id: number;
  /** JSON. */
  readonly entry: string;
  readonly body: string;
}

/** Of a {@link MESSAGE_LINE}. */
export function messageOfLine(row: SqlRow): MessageTexts {
  const line = textColumn(row, "line");
  const end = line.indexOf("\n");
  return messageOfHalves(line.slice(0, Math.max(0, end)), line.slice(end + 1));
}

/** Of each {@link MESSAGE_LINE} in the column `lines`. */
export function messagesOfLines(row: SqlRow | undefined): readonly MessageTexts[] {
  if (row?.["lines"] === null) return [];
  const halves = textColumn(row, "lines").split("\n");
  return Array.from({ length: halves.length >> 1 }, (_, at) =>
    messageOfHalves(halves[2 * at] ?? "", halves[2 * at + 1] ?? ""),
  );
}

/** Of a {@link MESSAGE_LINE}, before and after its line break. */
function messageOfHalves(first: string, body: string): MessageTexts {
  const [id, stored, entry] = partsOf(first);
  if (checksum(entry, body) !== stored) throw new DamagedRow(`message ${id}`);
  return { id, entry, body };
}

/** The two numbers and the rest of a line. */
function partsOf(line: string): readonly [number, number, string] {
  const first = line.indexOf(" ");
  const second = line.indexOf(" ", first + 1);
  return [Number(line.slice(0, first)), Number(line.slice(first + 1, second)), line.slice(second + 1)];
}

/** Decodes a column that contains a JSON string; throws {@link DamagedRow} if it contains anything else. */
export function storedText(row: SqlRow, column: string): string {
  const value = tryParseJson(textColumn(row, column));
  if (typeof value !== "string") throw new DamagedRow(`column ${column}`);
  return value;
}

/** Decodes a row of `journal`; throws {@link DamagedRow} if a column is invalid. */
export function journalRow(row: SqlRow): JournalRow {
  const stepId = parseStepId(textColumn(row, "step_id"));
  const eventType = EVENT_TYPES.find((type) => type === row["event_type"]);
  if (stepId === undefined || eventType === undefined) throw new DamagedRow("a row of the journal");
  const content = storedText(row, "content");
  return { stepId, seq: numberColumn(row, "seq"), eventType, content, createdAtMs: numberColumn(row, "created_at") };
}

/** Parses a page of index records whose checksums the worker has verified. */
export function parseIndexPage(json: string): readonly IndexRecord[] {
  return parseList(json, isIndexRecord);
}

/** Parses messages whose checksums the worker has verified. */
export function parseMessages(json: string): readonly StoredMessage[] {
  return parseList(json, isStoredMessage);
}

export function parseHits(json: string): readonly SearchHit[] {
  return parseList(json, isHit);
}

/** A query without words is searched verbatim. */
export function parseRankedHits(json: string): readonly RankedHit[] {
  return parseHits(json).map((hit) => ({ words: [], hasAll: true, exact: 0, score: 0, ...hit }));
}

function parseList<T>(json: string, isItem: (value: unknown) => value is T): readonly T[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) throw new TypeError("the worker answered no list");
  return list.map((item: unknown) => {
    if (!isItem(item)) throw new TypeError("the worker answered an unknown kind of row");
    return item;
  });
}

const EVENT_TYPES: readonly JournalEventType[] = [
  "begin",
  "text",
  "thinking",
  "textWasThinking",
  "thinkingSignature",
  "toolCallStart",
  "toolCallArgs",
  "usage",
  "done",
  "error",
  "batchBegin",
  "batchRun",
  "batchResult",
  "queued",
  "added",
  "edited",
];

// Checking `kind` is enough: the checksum proves that this program serialized the text from a typed value.
const KINDS: ReadonlySet<unknown> = new Set<IndexRecord["kind"]>([
  "entry",
  "visibility",
  "summary",
  "summaryState",
  "pin",
  "leftOut",
  "receipt",
  "usage",
  "model",
  "title",
  "setting",
  "project",
  "erasure",
  "segment",
]);

/** A record whose checksum was verified; `undefined` for a kind that a newer Forge added. */
export function knownRecord(json: string): IndexRecord | undefined {
  const value = tryParseJson(json);
  return isIndexRecord(value) ? value : undefined;
}

function isIndexRecord(value: unknown): value is IndexRecord {
  return typeof value === "object" && value !== null && "kind" in value && KINDS.has(value.kind);
}

function isHit(value: unknown): value is SearchHit {
  return typeof value === "object" && value !== null && "id" in value && "excerpt" in value;
}

function isStoredMessage(value: unknown): value is StoredMessage {
  return typeof value === "object" && value !== null && "entry" in value && "message" in value;
}
