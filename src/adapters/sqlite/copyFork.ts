/**
 * Copies a conversation up to a message into a new database, in slices, while the conversation may grow. Rows go from
 * file to file within SQLite, which is several times as fast as by way of objects. What is not copied never enters the
 * new file, so none of its bytes can be there.
 */

import type { CooperativeTask } from "../../core/cooperativeTask.ts";
import { copiedRecord, NOT_COPIED, type Fork } from "../../core/history/fork.ts";
import type { IndexRecord } from "../../core/history/records.ts";
import type { MessageId } from "../../core/ids.ts";
import { DamagedRow, numberColumn, textColumn, type Engine, type SqlRow } from "./engine/engine.ts";
import { openSqlJsEngine } from "./engine/sqlJsEngine.ts";
import type { SqlJsShim } from "./engine/sqlJsShim.ts";
import { checksum, knownRecord, recordChecksum, recordJson } from "./rowCodec.ts";
import { configureForBuilding, migrate } from "./schema.ts";
import { storageFailureOf } from "./storageErrors.ts";
import { WriteStatements } from "./writeStatements.ts";

/** Copied in one slice: some milliseconds. */
const SLICE_BYTES = 500_000;
const SLICE_ROWS = 1_000;
const SLICE_BLOCKS = 200;
/** Few, as each may be a summary. */
const SLICE_ADDED = 100;

export interface ForkCopy {
  readonly fork: Fork;
  /** Number of records of the origin that count. */
  readonly recordCount: number;
  /** The origin's database. */
  readonly origin: string;
  /** The new database, a file that does not exist. */
  readonly path: string;
}

/** `from` is the origin's database. Throws when a row cannot be read or written; the new file is of no use then. */
export function* copyFork(
  from: Engine,
  shim: SqlJsShim,
  { fork, recordCount, origin, path }: ForkCopy,
): CooperativeTask<void> {
  const triggers = createTables(shim, path);
  yield;
  const later: Fork["records"][number][] = [];
  const [mode] = from.all("PRAGMA query_only");
  from.attach(path, "fork");
  const reading = shim.files.readAhead(origin);
  const writing = shim.files.writeBehind(path);
  try {
    from.exec("PRAGMA query_only=OFF"); // it concerns all files of a connection
    configureForBuilding(from, "fork");
    yield* copyMessages(from, fork.end);
    const start = yield* recordOf(from, fork.end, recordCount);
    yield* copyRecords(from, fork.end, start);
    for (let next = start; next < recordCount; next += SLICE_ROWS) {
      const rows = from.all(
        "SELECT number, body, checksum FROM main.record WHERE number >= ? AND number < ? AND kind <> 'message'",
        [next, Math.min(next + SLICE_ROWS, recordCount)],
      );
      for (const row of rows) {
        const copied = copiedRecordIn(row, fork.end);
        if (copied !== undefined && copied.kind !== "entry") later.push(copied);
      }
      yield;
    }
    yield* copyIndex(from, fork.end);
    writing.flush();
  } finally {
    reading.stop();
    from.exec("DETACH fork");
    from.exec(`PRAGMA query_only=${numberColumn(mode, "query_only")}`);
  }
  yield* complete(shim, path, [...later, ...fork.records], triggers);
}

/** Returns the statements that create the triggers: without them, copying is faster by a fourth. */
function createTables(shim: SqlJsShim, path: string): readonly string[] {
  const to = openSqlJsEngine(shim, path);
  try {
    configureForBuilding(to);
    migrate(to);
    const triggers = to.all("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'");
    for (const row of triggers) to.exec(`DROP TRIGGER ${textColumn(row, "name")}`);
    return triggers.map((row) => textColumn(row, "sql"));
  } finally {
    to.close();
  }
}

/** Each row is checked: damage is left to the rescue of the origin. */
function* copyMessages(from: Engine, end: MessageId): CooperativeTask<void> {
  for (const slice of slicesOfMessages(from, end)) {
    checkMessages(from, slice);
    from.all(
      `INSERT INTO fork.message(id, step, entry, body, checksum)
       SELECT id, step, entry, body, checksum FROM main.message WHERE id >= ? AND id < ? ORDER BY id`,
      slice,
    );
    yield;
  }
}

type Slice = readonly [start: number, end: number];

/** Messages that are copied together, by their size; at least one. */
function* slicesOfMessages(from: Engine, end: number): Generator<Slice, void> {
  let [start, next, bytes] = [0, 0, 0];
  while (next < end) {
    const [row] = from.all(
      `SELECT group_concat(octet_length(body)) AS sizes
       FROM (SELECT body FROM main.message WHERE id >= ? AND id < ? ORDER BY id)`,
      [next, Math.min(next + SLICE_ROWS, end)],
    );
    const sizes = listColumn(row, "sizes", ",");
    if (sizes.length === 0) throw new DamagedRow(`message ${next} or a later one is missing`);
    for (const size of sizes) {
      next++;
      bytes += Number(size);
      if (bytes < SLICE_BYTES && next - start < SLICE_ROWS) continue;
      yield [start, next];
      [start, bytes] = [next, 0];
    }
  }
  if (start < end) yield [start, end];
}

/** In lists, as calls from SQL for each row would take longer than all else. No JSON contains a zero byte. */
function checkMessages(from: Engine, [start, end]: Slice): void {
  const [row] = from.all(
    `SELECT group_concat(entry, char(0)) AS entries, group_concat(body, char(0)) AS bodies,
       group_concat(checksum) AS checksums, min(id) AS first, max(id) AS last
     FROM (SELECT * FROM main.message WHERE id >= ? AND id < ? ORDER BY id)`,
    [start, end],
  );
  const entries = listColumn(row, "entries", "\0");
  const bodies = listColumn(row, "bodies", "\0");
  const checksums = listColumn(row, "checksums", ",");
  const isComplete = row?.["first"] === start && row["last"] === end - 1;
  if (!isComplete || [entries, bodies, checksums].some((list) => list.length !== end - start))
    throw new DamagedRow(`message ${start} or a later one is missing`);
  for (const [index, sum] of checksums.entries()) {
    if (checksum(entries[index] ?? "", bodies[index] ?? "") !== Number(sum))
      throw new DamagedRow(`message ${start + index}`);
  }
}

/** Empty for null, which SQL makes of no rows. */
function listColumn(row: SqlRow | undefined, column: string, separator: string): readonly string[] {
  const value = row?.[column];
  return typeof value === "string" ? value.split(separator) : [];
}

/** Number of the record of message `end`; `count` if there is none. */
function* recordOf(from: Engine, end: MessageId, count: number): CooperativeTask<number> {
  let [low, high, found] = [0, count, count]; // `found` is the first message's from `high` on, and not before `end`
  while (low < high) {
    const middle = (low + high) >> 1;
    const [row] = from.all(
      `SELECT number, body, checksum FROM main.record
       WHERE number >= ? AND number < ? AND kind = 'message' ORDER BY number LIMIT 1`,
      [middle, high],
    );
    const isBefore = row !== undefined && copiedRecordIn(row, end) !== undefined;
    if (isBefore) low = numberColumn(row, "number") + 1;
    else high = middle;
    if (row !== undefined && !isBefore) found = numberColumn(row, "number");
    yield;
  }
  return found;
}

/** Copies the first `count` records under their numbers, which their checksums contain. */
function* copyRecords(from: Engine, end: MessageId, count: number): CooperativeTask<void> {
  let copied: { readonly kind: string; readonly body: string; readonly sum: number } | undefined;
  from.define("copies", (number, body, sum) => {
    const after = copiedRecordIn({ number, body, checksum: sum }, end) ?? NOT_COPIED;
    const json = JSON.stringify(after);
    copied = { kind: after.kind, body: json, sum: recordChecksum(Number(number), json) };
    return 1;
  });
  from.define("copiedKind", () => copied?.kind ?? null);
  from.define("copiedBody", () => copied?.body ?? null);
  from.define("copiedChecksum", () => copied?.sum ?? null);
  for (let next = 0; next < count; next += SLICE_ROWS) {
    const slice = [next, Math.min(next + SLICE_ROWS, count)];
    from.all(
      `INSERT INTO fork.record(number, kind, body, checksum)
       SELECT number, iif(isMessage, kind, copiedKind()), iif(isMessage, body, copiedBody()),
         iif(isMessage, checksum, copiedChecksum())
       FROM (SELECT *, kind = 'message' AS isMessage FROM main.record)
       WHERE number >= ? AND number < ? AND (isMessage OR copies(number, body, checksum)) ORDER BY number`,
      slice,
    );
    const [found] = from.all("SELECT count(*) AS count FROM fork.record WHERE number >= ?", [next]);
    if (next + numberColumn(found, "count") !== slice[1])
      throw new DamagedRow(`record ${next} or a later one is missing`);
    yield;
  }
}

/** Copies the full-text index if it has no words of later messages. Without it, searches read the messages. */
function* copyIndex(from: Engine, end: MessageId): CooperativeTask<void> {
  try {
    const indexed = maximum(from, "indexed", "main.search_state");
    // A part of the next message may be indexed, too.
    const isOfCopied =
      typeof indexed === "number" && (indexed < end || maximum(from, "id", "main.message") === end - 1);
    if (!isOfCopied || indexed > end) return;
    for (let next: unknown = 0, before: unknown; next !== before;) {
      before = next;
      from.all(
        `INSERT INTO fork.search_segments SELECT * FROM main.search_segments
         WHERE blockid > ? ORDER BY blockid LIMIT ${SLICE_BLOCKS}`,
        [Number(before)],
      );
      next = maximum(from, "blockid", "fork.search_segments") ?? 0;
      yield;
    }
    for (const table of ["search_segdir", "search_stat", "search_state"])
      from.exec(`INSERT INTO fork.${table} SELECT * FROM main.${table}`);
  } catch (error) {
    if (storageFailureOf(error).reason !== "damaged") throw error;
  }
}

/** Adds records, and makes the database one like every other. */
function* complete(
  shim: SqlJsShim,
  path: string,
  added: Fork["records"],
  triggers: readonly string[],
): CooperativeTask<void> {
  const to = openSqlJsEngine(shim, path);
  try {
    configureForBuilding(to);
    const writes = new WriteStatements(to);
    for (let start = 0; start < added.length; start += SLICE_ADDED) {
      to.exec("BEGIN");
      for (const record of added.slice(start, start + SLICE_ADDED)) writes.apply({ kind: "record", record });
      to.exec("COMMIT");
      yield;
    }
    for (const trigger of triggers) to.exec(trigger);
    to.all("PRAGMA journal_mode=WAL");
  } finally {
    to.close();
  }
}

/** `undefined` also for a kind that a newer Forge added. Throws {@link DamagedRow} on a checksum mismatch. */
function copiedRecordIn(row: SqlRow, end: MessageId): IndexRecord | undefined {
  const record = knownRecord(recordJson(row));
  return record && copiedRecord(record, end);
}

function maximum(from: Engine, key: string, table: string): unknown {
  return from.all(`SELECT max(${key}) AS maximum FROM ${table}`)[0]?.["maximum"];
}
