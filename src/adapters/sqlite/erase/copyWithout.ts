/**
 * Copies a conversation into new tables without the erased content, a few rows at a time, while the conversation may
 * grow. Nothing erased ever enters the new file, so none of its bytes can remain there, neither on a free page nor after
 * a moved row.
 */

import { recordAfterErasure, type Erasure } from "../../../core/history/erasure.ts";
import type { IndexRecord } from "../../../core/history/records.ts";
import { invariant } from "../../../core/result.ts";
import { numberColumn, textColumn, type Engine, type PreparedStatement, type SqlRow } from "../engine/engine.ts";
import { checksum, messageJson, parseIndexPage, recordChecksum, recordJson } from "../rowCodec.ts";
import { noteSegment } from "../schema.ts";
import { countOf, WriteStatements } from "../writeStatements.ts";

/** Few, as each may be a tool's whole output. */
const ROWS_AT_ONCE = 16;
/** Records among which the newest title is looked for at once: their kinds have no index. */
const RECORDS_AT_ONCE = 2_000;

/** The tables of `to` must be empty. Every member throws when a row cannot be read or written. */
export class CopyWithout {
  readonly #from: Engine;
  readonly #to: Engine;
  readonly #erasure: Erasure;
  readonly #messages: TableCursor;
  readonly #records: TableCursor;
  readonly #addMessage: PreparedStatement;
  readonly #addRecord: PreparedStatement;
  /** Places in the erasure of messages that are still to come. */
  readonly #places: Map<number, number>;
  readonly #findTitle: PreparedStatement;
  /** Records from here on were looked through for the newest title. */
  #titlesFrom: number;
  /** Number of the newest title record when the copy began. */
  #newestTitle: number | undefined;
  #isOutdated = false;
  #nextRecord = 0;
  /** Number of records when the copy began. */
  readonly #recordsBefore: number;

  constructor(from: Engine, to: Engine, erasure: Erasure) {
    this.#from = from;
    this.#to = to;
    this.#erasure = erasure;
    this.#messages = new TableCursor(from, "message", "id", "id, step, entry, body, checksum");
    this.#records = new TableCursor(from, "record", "number", "number, kind, body, checksum");
    this.#addMessage = to.prepare("INSERT INTO message(id, step, entry, body, checksum) VALUES(?, ?, ?, ?, ?)");
    this.#addRecord = to.prepare("INSERT INTO record(number, kind, body, checksum) VALUES(?, ?, ?, ?)");
    this.#places = new Map(erasure.record.entries.map(({ id }, place) => [id, place]));
    this.#findTitle = from.prepare(
      "SELECT max(number) AS number FROM record WHERE kind = 'title' AND number >= ? AND number < ?",
    );
    this.#titlesFrom = countOf(from, "record", "number");
    this.#recordsBefore = this.#titlesFrom;
  }

  /** Copies the next rows; returns the number of characters, 0 when all that is stored now is copied. */
  copyRows(): number {
    if (this.#newestTitle === undefined && this.#titlesFrom > 0) return this.#lookForTitle();
    const messages = this.#messages.next();
    for (const row of messages) this.#copyMessage(row);
    const records = messages.length > 0 ? [] : this.#records.next();
    for (const row of records) this.#copyRecord(row);
    return [...messages, ...records].reduce((sum, row) => sum + textColumn(row, "body").length + 1, 0);
  }

  /**
   * Copies what was added meanwhile and what may have changed. `draft` replaces the stored one, which may repeat erased
   * content. False: a title was added, so that the one before it may not stay; the copy has to begin anew.
   */
  finish(draft: string): boolean {
    while (this.copyRows() > 0);
    if (this.#isOutdated) return false;
    invariant(this.#places.size === 0, "what is erased is stored");
    const { record, steps } = this.#erasure;
    this.#add(record.kind, JSON.stringify(record));
    this.#copyJournal(new Set<unknown>(steps));
    new WriteStatements(this.#to).apply({ kind: "draft", text: draft });
    return true;
  }

  #lookForTitle(): number {
    const end = this.#titlesFrom;
    this.#titlesFrom = Math.max(0, end - RECORDS_AT_ONCE);
    const [newest] = this.#findTitle.all([this.#titlesFrom, end]);
    if (typeof newest?.["number"] === "number") this.#newestTitle = newest["number"];
    return RECORDS_AT_ONCE * 8; // as long as copying so much
  }

  #copyMessage(row: SqlRow): void {
    messageJson(row); // throws for a damaged row, which is left to the rescue
    const id = numberColumn(row, "id");
    const { record, messages } = this.#erasure;
    const place = this.#places.get(id);
    const entry = place === undefined ? textColumn(row, "entry") : JSON.stringify(record.entries[place]);
    const body = place === undefined ? textColumn(row, "body") : JSON.stringify(messages[place]);
    const sum = place === undefined ? numberColumn(row, "checksum") : checksum(entry, body);
    this.#addMessage.run([id, row["step"] ?? null, entry, body, sum]);
    this.#places.delete(id);
  }

  #copyRecord(row: SqlRow): void {
    const kind = textColumn(row, "kind");
    const body = recordJson(row);
    const number = numberColumn(row, "number");
    this.#isOutdated ||= kind === "title" && number >= this.#recordsBefore;
    const mayChange = kind === "message" || kind === "summary" || kind === "title";
    this.#add(kind, mayChange ? changed(body, this.#erasure, number === this.#newestTitle) : body);
  }

  #add(kind: string, body: string): void {
    if (kind === "segment") noteSegment(this.#to);
    const number = this.#nextRecord++;
    this.#addRecord.run([number, kind, body, recordChecksum(number, body)]);
  }

  #copyJournal(erased: ReadonlySet<unknown>): void {
    const columns = ["step_id", "seq", "event_type", "content", "created_at", "sealed"];
    const insert = this.#to.prepare(`INSERT INTO journal(${columns.join(", ")}) VALUES(?, ?, ?, ?, ?, ?)`);
    for (const row of this.#from.all(`SELECT ${columns.join(", ")} FROM journal ORDER BY step_id, seq`)) {
      if (!erased.has(row["step_id"])) insert.run(columns.map((column) => row[column] ?? null));
    }
  }
}

function changed(body: string, erasure: Erasure, isNewestTitle: boolean): string {
  const [record] = parseIndexPage(`[${body}]`);
  invariant(record !== undefined, "one record was read");
  const after: IndexRecord = recordAfterErasure(record, erasure, isNewestTitle);
  return after === record ? body : JSON.stringify(after);
}

/** Reads an append-only table from its beginning on, a few rows at a time. */
class TableCursor {
  readonly #select: PreparedStatement;
  readonly #key: string;
  #from = 0;

  constructor(engine: Engine, table: string, key: string, columns: string) {
    this.#select = engine.prepare(`SELECT ${columns} FROM ${table} WHERE ${key} >= ? ORDER BY ${key} LIMIT ?`);
    this.#key = key;
  }

  /** The next rows; empty at the end, until rows are added. */
  next(): readonly SqlRow[] {
    const rows = this.#select.all([this.#from, ROWS_AT_ONCE]);
    const last = rows.at(-1);
    if (last !== undefined) this.#from = numberColumn(last, this.#key) + 1;
    return rows;
  }
}
