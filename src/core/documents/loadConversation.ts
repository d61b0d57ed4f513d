/** Turns a saved conversation into records, or into the path of its first fault: all of it or nothing. */

import { parseJson } from "../json.ts";
import { type Branch, type Replay, withVisibilityRecords } from "../history/branches/branchReplay.ts";
import { validationError, type ValidationError } from "../errors.ts";
import { messageId, modelId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import { runSync } from "../cooperativeTask.ts";
import {
  checkCovering,
  checkMessages,
  checkNesting,
  checkReceipts,
  checkSummaries,
  cutsBatch,
} from "./documentChecks.ts";
import {
  nonBlankText,
  readMessage,
  readRange,
  readReceipt,
  readSummary,
  readUsage,
  type SavedMessage,
} from "./documentParts.ts";
import { DocumentReader, describeValue, type LocatedValue } from "./documentReader.ts";
import { GRANT_PREFIX, type ConversationRecord } from "../history/records.ts";
import { SAVED_VERSION } from "./savedConversation.ts";
import type { MessageRange } from "../history/summaries/summary.ts";

/** Records in the order in which they are to be stored. */
export function loadConversation(json: string): Result<readonly ConversationRecord[], ValidationError> {
  const parsed = parse(json);
  if (!parsed.ok) return parsed;
  const version = versionOf(parsed.value);
  if (version !== SAVED_VERSION) return err(wrongVersion(version));

  const read = new DocumentReader();
  const fields = read.fields({ value: parsed.value, path: "document" }, REQUIRED, [
    "title",
    "model",
    "usage",
    "branches",
  ]);
  const messages = read.each(fields.messages, (place) => readMessage(read, place));
  const summaries = read.each(fields.summaries, (place) => readSummary(read, place), MOST_SUMMARIES);
  const receipts = read.each(fields.receipts, (place) => readReceipt(read, place));
  const document = { messages, summaries };
  checkMessages(read, document);
  checkSummaries(read, document);
  checkCovering(read, document);
  checkReceipts(read, receipts, document);
  const entered = messages.map(
    ({ entry, parts }) => ({ kind: "message", entry, message: { role: entry.role, parts } }) as const,
  );
  const replay = replayIn(read, fields, messages);
  // Visibility comes before the summaries, which are compared with what is visible. Receipts come before the summaries,
  // so that they do not claim that nothing happened since.
  const records: readonly ConversationRecord[] = [
    ...(read.fault === undefined ? runSync(withVisibilityRecords(entered, replay)) : entered),
    ...receipts.map((receipt) => ({ kind: "receipt", receipt }) as const),
    ...summaries.map((summary) => ({ kind: "summary", summary }) as const),
    ...changesIn(read, fields, messages),
  ];
  if (read.fault === undefined) checkNesting(read, records, document);
  return read.fault === undefined ? ok(records) : err(read.fault);
}

/** More than a conversation of a million messages has; bounded, as each is compared with those before it. */
const MOST_SUMMARIES = 50_000;

const REQUIRED = ["version", "messages", "summaries", "receipts", "pins", "hidden", "settings"] as const;

type Fields = Readonly<Record<(typeof REQUIRED)[number], LocatedValue>> & {
  readonly title?: LocatedValue;
  readonly model?: LocatedValue;
  readonly usage?: LocatedValue;
  readonly branches?: LocatedValue;
};

/** Branches and visibility of the messages. */
function replayIn(read: DocumentReader, fields: Fields, messages: readonly SavedMessage[]): Replay {
  const hidden = new Uint8Array(messages.length);
  for (const { start, end } of hiddenIn(read, fields, messages)) hidden.fill(1, start, end);
  const branches = fields.branches === undefined ? [] : branchesIn(read, fields.branches, messages);
  return { branches, isHidden: ({ id }) => hidden[id] === 1, atMs: newestAtMs(messages) };
}

/** More than a conversation of a million messages has: messages between a branch and the one it follows are hidden. */
const MOST_BETWEEN = 100_000_000;

function branchesIn(
  read: DocumentReader,
  branches: LocatedValue,
  messages: readonly SavedMessage[],
): readonly Branch[] {
  let lowest = 1;
  let between = 0;
  return read.each(branches, (place) => {
    const fields = read.fields(place, ["id"], ["follows"]);
    const id = read.whole(fields.id, lowest, Math.max(lowest, messages.length - 1));
    lowest = id + 1;
    const follows = fields.follows === undefined ? undefined : read.whole(fields.follows, 0, Math.max(0, id - 2));
    const start = messageId((follows ?? -1) + 1);
    if (cutsBatch({ start, end: messageId(id) }, messages)) read.refuse(place, "a message that cuts no tool batch");
    between += id - start;
    if (between > MOST_BETWEEN) read.refuse(place, `at most ${String(MOST_BETWEEN)} messages between all of them`);
    return follows === undefined ? { id: messageId(id) } : { id: messageId(id), follows: messageId(follows) };
  });
}

function hiddenIn(read: DocumentReader, fields: Fields, messages: readonly SavedMessage[]): readonly MessageRange[] {
  let shownFrom = 0;
  return read.each(fields.hidden, (place) => {
    const range = readRange(read, place);
    const shown = { value: `${String(range.start)} to ${String(range.end)}`, path: place.path };
    if (range.end > messages.length) read.refuse(shown, `a range within the ${String(messages.length)} messages`);
    if (cutsBatch(range, messages)) read.refuse(shown, "a range that cuts no tool batch");
    if (range.start < shownFrom) read.refuse(shown, `a range from ${String(shownFrom)} on, as they are in order`);
    shownFrom = range.end;
    return range;
  });
}

/** The document holds no times of such changes; the time of the newest message stands for them. */
function newestAtMs(messages: readonly SavedMessage[]): number {
  return messages.reduce((newest, { entry }) => Math.max(newest, entry.createdAtMs), 0);
}

function changesIn(read: DocumentReader, fields: Fields, messages: readonly SavedMessage[]): ConversationRecord[] {
  const atMs = newestAtMs(messages);
  const records: ConversationRecord[] = [];
  let lowestPin = 0;
  read.each(fields.pins, (place) => {
    const id = messageId(read.whole(place, lowestPin, Math.max(lowestPin, messages.length - 1)));
    lowestPin = id + 1;
    records.push({ kind: "pin", id, pinned: true, atMs });
  });
  if (fields.usage !== undefined) {
    read.each(fields.usage, (place) => {
      records.push(readUsage(read, place, messages.length));
    });
  }
  const names = new Set<unknown>();
  read.each(fields.settings, (place) => {
    const { name, value } = read.fields(place, ["name", "value"]);
    if (names.has(name.value)) read.refuse(name, "a name that no other setting has");
    names.add(name.value);
    const known = nonBlankText(read, name);
    if (known.startsWith(GRANT_PREFIX)) read.refuse(name, "the name of a setting that grants nothing");
    records.push({ kind: "setting", name: known, value: read.text(value), atMs });
  });
  if (fields.model !== undefined) {
    const { provider, model, atMs: chosenAtMs } = read.fields(fields.model, ["provider", "model", "atMs"]);
    const name = modelId(nonBlankText(read, model));
    records.push({ kind: "model", provider: read.text(provider), model: name, atMs: read.timeMs(chosenAtMs) });
  }
  if (fields.title !== undefined) {
    const { title, by, atMs: namedAtMs } = read.fields(fields.title, ["title", "by", "atMs"]);
    const given = { title: nonBlankText(read, title), by: read.word(by, ["user", "automatic"]) };
    records.push({ kind: "title", ...given, atMs: read.timeMs(namedAtMs) });
  }
  return records;
}

function parse(json: string): Result<unknown, ValidationError> {
  const parsed = parseJson(json);
  return parsed.ok ? parsed : err(validationError("document", parsed.error, "a JSON document"));
}

function versionOf(document: unknown): unknown {
  return typeof document === "object" && document !== null && "version" in document ? document.version : undefined;
}

function wrongVersion(found: unknown): ValidationError {
  const isNewer = typeof found === "number" && found > SAVED_VERSION;
  const expected = `${String(SAVED_VERSION)}${isNewer ? "; a newer version of Forge can read it" : ""}`;
  return validationError("document.version", describeValue(found), expected);
}
