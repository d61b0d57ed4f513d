/** Turns a saved conversation into records, or into the path of its first fault: all of it or nothing. */

import { member } from "../json.ts";
import { type Branch, VisibilityReplay } from "../history/branches/branchReplay.ts";
import { validationError, type ValidationError } from "../errors.ts";
import { messageId, modelId } from "../ids.ts";
import type { HistoryEntry } from "../message.ts";
import { err, ok, type Result } from "../result.ts";
import {
  MessageChecks,
  checkCovering,
  checkNesting,
  checkReceipts,
  checkSummaries,
  cutsBatch,
} from "./documentChecks.ts";
import { nonBlankText, readMessage, readRange, readReceipt, readSummary, readUsage } from "./documentParts.ts";
import { DocumentReader, LATEST_MS, describeValue, type LocatedValue } from "./documentReader.ts";
import type { DocumentText } from "./documentText.ts";
import { FullHistory } from "../history/fullHistory.ts";
import { normalizedRemote } from "../history/gitRemote.ts";
import { isRootCommit, type Project } from "../history/project.ts";
import { GRANT_PREFIX, type ConversationRecord } from "../history/records.ts";
import { faultIn, outlineOf, parseRange, piecesOf, type JsonOutline, type ValueRange } from "./jsonOutline.ts";
import { SAVED_VERSION } from "./savedConversation.ts";
import type { MessageRange } from "../history/summaries/summary.ts";

/** Records in the order in which they are to be stored. If it ends with an error, none of them is. */
export type RecordStream = Generator<ConversationRecord, Result<void, ValidationError>>;

/** The record with its tokens counted. `history`: that of the records before it. */
export type Recount = (record: ConversationRecord, history: Pick<FullHistory, "tokensIn">) => ConversationRecord;

/** Reads each message when its turn comes, and holds the content of none. */
export function* loadConversation(
  text: DocumentText,
  recount: Recount = (record) => record,
  outline: Result<JsonOutline, string> = outlineOf(text),
): RecordStream {
  if (!outline.ok) return err(notJson(outline.error));
  const document = documentIn(text, outline.value);
  const fault = document.ok ? yield* recordsIn(text, document.value, recount) : notJson(document.error);
  if (fault === undefined) return ok(undefined);
  // A document that is damaged or cut is reported as such, whatever is wrong with the rest of it.
  const damage = faultIn(text, outline.value);
  return err(damage === undefined ? fault : notJson(damage));
}

function notJson(found: string): ValidationError {
  return validationError("document", found, "a JSON document");
}

/** Stands for a list of which some items at a time are read. */
class LongList {
  readonly range: ValueRange;

  constructor(range: ValueRange) {
    this.range = range;
  }
}

const LONG_LISTS: ReadonlySet<string> = new Set(["messages", "usage"]);

/** The document with its long lists unread; `undefined` for anything but an object. */
function documentIn(text: DocumentText, { members }: JsonOutline): Result<unknown, string> {
  if (members === undefined) return ok(undefined);
  const fields: (readonly [string, unknown])[] = [];
  for (const [name, range] of members) {
    const isLong = range.cuts !== undefined && LONG_LISTS.has(name);
    const field = isLong ? ok(new LongList(range)) : parseRange(text, range);
    if (!field.ok) return field;
    fields.push([name, field.value]);
  }
  return ok(Object.fromEntries(fields));
}

function* itemsOf(read: DocumentReader, text: DocumentText, place: LocatedValue): Generator<LocatedValue> {
  if (!(place.value instanceof LongList)) {
    read.refuse(place, "a list");
    return;
  }
  let index = 0;
  for (const piece of piecesOf(text, place.value.range)) {
    if (!piece.ok) {
      read.refuse({ value: piece.error, path: place.path }, "JSON");
      return;
    }
    for (const value of piece.value) yield { value, path: `${place.path}[${String(index++)}]` };
  }
}

/** Returns the first fault, in the order of the checks. */
function* recordsIn(
  text: DocumentText,
  document: unknown,
  recount: Recount,
): Generator<ConversationRecord, ValidationError | undefined> {
  const version = member(document, "version");
  if (version !== SAVED_VERSION) return wrongVersion(version);
  const read = new DocumentReader();
  const fields = read.fields({ value: document, path: "document" }, REQUIRED, OPTIONAL);
  const readOthers = new DocumentReader();
  const summaries = readOthers.each(fields.summaries, (place) => readSummary(readOthers, place), MOST_SUMMARIES);
  const receipts = readOthers.each(fields.receipts, (place) => readReceipt(readOthers, place));

  const branches = branchesIn(new DocumentReader(), fields);
  const follows = new Map<number, number>(branches.map(({ id, follows: before }) => [id, before ?? -1]));
  // The document holds no times of such changes; the time of the newest message stands for them.
  let atMs = branches.length === 0 ? 0 : newestAtMs(text, fields);
  const history = new FullHistory();
  const { entries } = history;
  const visibility = new VisibilityReplay();
  const readOrder = new DocumentReader();
  const readCovering = new DocumentReader();
  const checks = new MessageChecks(readOrder);
  for (const place of itemsOf(read, text, fields.messages)) {
    const message = readMessage(read, place);
    if (read.fault !== undefined) break;
    if ((readOthers.fault ?? readOrder.fault) !== undefined) continue;
    checks.check(message, entries);
    if (readOrder.fault !== undefined) continue;
    checkCovering(readCovering, message, summaries);
    const { entry, parts } = message;
    atMs = Math.max(atMs, entry.createdAtMs);
    const before = visibility.add(entry, follows.get(entry.id) ?? entry.id - 1, atMs);
    const raw = { kind: "message", entry, message: { role: entry.role, parts } } as const;
    for (const record of [...before, recount(raw, history)]) {
      history.apply(record);
      yield record;
    }
  }
  if (entries.length === 0) readOrder.refuse({ value: [], path: "document.messages" }, "one message or more");
  const early = read.fault ?? readOthers.fault ?? readOrder.fault;
  if (early !== undefined) return early;

  checkSummaries(read, { entries, summaries });
  read.fault ??= readCovering.fault;
  checkReceipts(read, receipts, { entries, summaries });
  const hidden = new Uint8Array(entries.length);
  for (const { start, end } of hiddenIn(read, fields, entries)) hidden.fill(1, start, end);
  branchesIn(read, fields, entries);
  if (read.fault !== undefined) return read.fault;
  // Visibility comes before the summaries, which are compared with what is visible. Receipts come before the summaries,
  // so that they do not claim that nothing happened since.
  for (const record of visibility.end((id) => hidden[id] === 1, atMs)) {
    if (record === undefined) continue;
    history.apply(record);
    yield record;
  }
  for (const receipt of receipts) yield { kind: "receipt", receipt };
  for (const summary of summaries) {
    const record = recount({ kind: "summary", summary }, history);
    history.apply(record);
    yield record;
  }
  yield* changesIn(read, text, { fields, count: entries.length, atMs });
  checkNesting(read, history, summaries);
  return read.fault;
}

/** More than a conversation of a million messages has; bounded, as each is compared with those before it. */
const MOST_SUMMARIES = 50_000;

const REQUIRED = ["version", "messages", "summaries", "receipts", "pins", "hidden", "settings"] as const;

const OPTIONAL = ["title", "model", "usage", "branches", "projects"] as const;

type Fields = Readonly<
  Record<(typeof REQUIRED)[number], LocatedValue> & Partial<Record<(typeof OPTIONAL)[number], LocatedValue>>
>;

/** Each is compared with those before it. */
const MOST_PROJECTS = 1_000;

/** More than a conversation of a million messages has: messages between a branch and the one it follows are hidden. */
const MOST_BETWEEN = 100_000_000;

/** Without `entries`, what depends on the messages is not checked. */
function branchesIn(read: DocumentReader, { branches }: Fields, entries?: readonly HistoryEntry[]): readonly Branch[] {
  if (branches === undefined) return [];
  const highest = (entries?.length ?? Infinity) - 1;
  let lowest = 1;
  let between = 0;
  return read.each(branches, (place) => {
    const fields = read.fields(place, ["id"], ["follows"]);
    const id = read.whole(fields.id, lowest, Math.max(lowest, Math.min(highest, Number.MAX_SAFE_INTEGER)));
    lowest = id + 1;
    const follows = fields.follows === undefined ? undefined : read.whole(fields.follows, 0, Math.max(0, id - 2));
    const start = messageId((follows ?? -1) + 1);
    if (cutsBatch({ start, end: messageId(id) }, entries ?? []))
      read.refuse(place, "a message that cuts no tool batch");
    between += id - start;
    if (between > MOST_BETWEEN) read.refuse(place, `at most ${String(MOST_BETWEEN)} messages between all of them`);
    return follows === undefined ? { id: messageId(id) } : { id: messageId(id), follows: messageId(follows) };
  });
}

function hiddenIn(read: DocumentReader, fields: Fields, entries: readonly HistoryEntry[]): readonly MessageRange[] {
  let shownFrom = 0;
  return read.each(fields.hidden, (place) => {
    const range = readRange(read, place);
    const shown = { value: `${String(range.start)} to ${String(range.end)}`, path: place.path };
    if (range.end > entries.length) read.refuse(shown, `a range within the ${String(entries.length)} messages`);
    if (cutsBatch(range, entries)) read.refuse(shown, "a range that cuts no tool batch");
    if (range.start < shownFrom) read.refuse(shown, `a range from ${String(shownFrom)} on, as they are in order`);
    shownFrom = range.end;
    return range;
  });
}

function newestAtMs(text: DocumentText, { messages }: Fields): number {
  let newest = 0;
  for (const { value } of itemsOf(new DocumentReader(), text, messages)) {
    const atMs = member(value, "createdAtMs");
    if (typeof atMs === "number" && atMs > newest && atMs <= LATEST_MS) newest = atMs;
  }
  return newest;
}

interface Changed {
  readonly fields: Fields;
  /** Number of messages. */
  readonly count: number;
  readonly atMs: number;
}

function* changesIn(
  read: DocumentReader,
  text: DocumentText,
  { fields, count, atMs }: Changed,
): Generator<ConversationRecord> {
  let lowestPin = 0;
  yield* read.each(fields.pins, (place): ConversationRecord => {
    const id = messageId(read.whole(place, lowestPin, Math.max(lowestPin, count - 1)));
    lowestPin = id + 1;
    return { kind: "pin", id, pinned: true, atMs };
  });
  if (fields.usage !== undefined) {
    for (const place of itemsOf(read, text, fields.usage)) {
      const record = readUsage(read, place, count);
      if (read.fault !== undefined) return;
      yield record;
    }
  }
  const names = new Set<unknown>();
  yield* read.each(fields.settings, (place): ConversationRecord => {
    const { name, value } = read.fields(place, ["name", "value"]);
    if (names.has(name.value)) read.refuse(name, "a name that no other setting has");
    names.add(name.value);
    const known = nonBlankText(read, name);
    if (known.startsWith(GRANT_PREFIX)) read.refuse(name, "the name of a setting that grants nothing");
    return { kind: "setting", name: known, value: read.text(value), atMs };
  });
  if (fields.projects !== undefined) {
    const readRecord = (place: LocatedValue): ConversationRecord => {
      return { kind: "project", project: readProject(read, place), atMs };
    };
    yield* read.each(fields.projects, readRecord, MOST_PROJECTS);
  }
  if (fields.model !== undefined) {
    const { provider, model, atMs: chosenAtMs } = read.fields(fields.model, ["provider", "model", "atMs"]);
    const name = modelId(nonBlankText(read, model));
    yield { kind: "model", provider: read.text(provider), model: name, atMs: read.timeMs(chosenAtMs) };
  }
  if (fields.title !== undefined) {
    const { title, by, atMs: namedAtMs } = read.fields(fields.title, ["title", "by", "atMs"]);
    const given = { title: nonBlankText(read, title), by: read.word(by, ["user", "automatic"]) };
    yield { kind: "title", ...given, atMs: read.timeMs(namedAtMs) };
  }
}

/** Without a folder: that of another machine is none here. */
function readProject(read: DocumentReader, place: LocatedValue): Project {
  const { remotes, rootCommit } = read.fields(place, ["remotes"], ["rootCommit"]);
  const names = read.each(remotes, (remote) => {
    const name = nonBlankText(read, remote);
    if (normalizedRemote(`https://${name}`) !== name) read.refuse(remote, "a remote such as github.com/owner/name");
    return name;
  });
  if (rootCommit === undefined) return { remotes: names };
  const commit = nonBlankText(read, rootCommit);
  if (!isRootCommit(commit)) read.refuse(rootCommit, "the hash of a commit");
  return { remotes: names, rootCommit: commit };
}

function wrongVersion(found: unknown): ValidationError {
  const isNewer = typeof found === "number" && found > SAVED_VERSION;
  const expected = `${String(SAVED_VERSION)}${isNewer ? "; a newer version of Forge can read it" : ""}`;
  return validationError("document.version", describeValue(found), expected);
}
