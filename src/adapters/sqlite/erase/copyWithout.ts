/**
 * Copies a conversation into new tables without the erased content. Nothing erased ever enters the new file, so none of
 * its bytes can remain there, neither on a free page nor after a moved row.
 */

import { recordAfterErasure, type Erasure } from "../../../core/history/erasure.ts";
import type { IndexRecord } from "../../../core/history/records.ts";
import { invariant } from "../../../core/result.ts";
import { numberColumn, textColumn, type Engine, type SqlRow } from "../engine/engine.ts";
import { checksum, messageJson, parseIndexPage, recordChecksum, recordJson } from "../rowCodec.ts";
import { WriteStatements } from "../writeStatements.ts";

export interface ErasingCopy {
  readonly from: Engine;
  /** Its tables must be empty. */
  readonly to: Engine;
  readonly erasure: Erasure;
  readonly onProgress: () => void;
}

const ROWS_AT_ONCE = 100;

/**
 * The stored draft is replaced by `erasure.draft`, the current composer text, because it may repeat erased content.
 * Throws when a row cannot be read or written.
 */
export function copyWithout(copy: ErasingCopy): void {
  copy.to.exec("BEGIN");
  copyMessages(copy);
  copyRecords(copy);
  copyJournal(copy);
  new WriteStatements(copy.to).apply({ kind: "draft", text: copy.erasure.draft });
  copy.to.exec("COMMIT");
}

function copyMessages({ from, to, erasure, onProgress }: ErasingCopy): void {
  const places = new Map<number, number>(erasure.record.entries.map(({ id }, place) => [id, place]));
  const insert = to.prepare("INSERT INTO message(id, step, entry, body, checksum) VALUES(?, ?, ?, ?, ?)");
  const select = "SELECT id, step, entry, body, checksum FROM message WHERE id >= ? ORDER BY id LIMIT ?";
  for (const row of rowsOf(from, { select, key: "id", onProgress })) {
    messageJson(row); // throws for a damaged row, which is left to the rescue
    const id = numberColumn(row, "id");
    const place = places.get(id);
    const entry = place === undefined ? textColumn(row, "entry") : JSON.stringify(erasure.record.entries[place]);
    const body = place === undefined ? textColumn(row, "body") : JSON.stringify(erasure.messages[place]);
    insert.run([id, row["step"] ?? null, entry, body, checksum(entry, body)]);
    places.delete(id);
  }
  invariant(places.size === 0, "what is erased is stored");
}

function copyRecords({ from, to, erasure, onProgress }: ErasingCopy): void {
  const insert = to.prepare("INSERT INTO record(number, kind, body, checksum) VALUES(?, ?, ?, ?)");
  const [newest] = from.all("SELECT max(number) AS number FROM record WHERE kind = 'title'");
  const select = "SELECT number, kind, body, checksum FROM record WHERE number >= ? ORDER BY number LIMIT ?";
  let next = 0;
  const add = (kind: string, body: string): void => {
    insert.run([next, kind, body, recordChecksum(next, body)]);
    next++;
  };
  for (const row of rowsOf(from, { select, key: "number", onProgress })) {
    const kind = textColumn(row, "kind");
    const body = recordJson(row);
    const mayChange = kind === "message" || kind === "summary" || kind === "title";
    add(kind, mayChange ? changed(body, erasure, row["number"] === newest?.["number"]) : body);
  }
  add(erasure.record.kind, JSON.stringify(erasure.record));
}

function changed(body: string, erasure: Erasure, isNewestTitle: boolean): string {
  const [record] = parseIndexPage(`[${body}]`);
  invariant(record !== undefined, "one record was read");
  const after: IndexRecord = recordAfterErasure(record, erasure, isNewestTitle);
  return after === record ? body : JSON.stringify(after);
}

function copyJournal({ from, to, erasure }: ErasingCopy): void {
  const erased: ReadonlySet<unknown> = new Set(erasure.steps);
  const columns = ["step_id", "seq", "event_type", "content", "created_at", "sealed"];
  const insert = to.prepare(`INSERT INTO journal(${columns.join(", ")}) VALUES(?, ?, ?, ?, ?, ?)`);
  for (const row of from.all(`SELECT ${columns.join(", ")} FROM journal ORDER BY step_id, seq`)) {
    if (!erased.has(row["step_id"])) insert.run(columns.map((column) => row[column] ?? null));
  }
}

interface Reading {
  readonly select: string;
  readonly key: string;
  readonly onProgress: () => void;
}

function* rowsOf(engine: Engine, { select, key, onProgress }: Reading): Generator<SqlRow, void> {
  const statement = engine.prepare(select);
  for (let from = 0; ;) {
    const rows = statement.all([from, ROWS_AT_ONCE]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    from = numberColumn(last, key) + 1;
    onProgress();
  }
}
