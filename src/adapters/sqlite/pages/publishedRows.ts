/**
 * Reads records with the contents of their messages from the pages of a database, without the engine, which takes longer
 * for a text of each than all that is done with it: contents stay the bytes that they are on the page. Each row's number
 * and checksum prove that it is the one that was stored.
 */

import type { IndexRecord } from "../../../core/history/records.ts";
import type { PublishedRecord } from "../../../core/replica/wireRecord.ts";
import { DamagedRow } from "../engine/engine.ts";
import { bytesChecksum, checksum, knownRecord } from "../rowCodec.ts";
import type { PageView } from "./databasePages.ts";
import { readColumns, type StoredRow } from "./pageCells.ts";
import { MESSAGE_PAGE, RECORD_PAGE, rowsFrom } from "./tableWalk.ts";

export interface PublishedPage {
  /** Number of its first record. */
  readonly from: number;
  /** Number of its records. */
  readonly count: number;
  /** Of its messages, or one message more. */
  readonly mostBytes: number;
}

/** Throws {@link DamagedRow} when rows are missing or damaged. */
export function publishedRows(view: PageView, { from, count, mostBytes }: PublishedPage): readonly PublishedRecord[] {
  const index = indexRows(view, from, count);
  const first = index.find((record) => record.kind === "entry");
  const messages = first === undefined ? [][Symbol.iterator]() : rowsFrom(view, MESSAGE_PAGE, first.entry.id);
  const ends = [0, 0, 0, 0, 0];
  const records: PublishedRecord[] = [];
  let bytes = 0;
  for (const record of index) {
    if (record.kind !== "entry") {
      records.push(record);
      continue;
    }
    if (bytes >= mostBytes) break;
    const { id } = record.entry;
    const row = messages.next();
    const isNext = row.done !== true && row.value.rowId === id;
    const json = isNext ? messageBody(row.value, ends) : undefined;
    if (json === undefined) throw new DamagedRow(`message ${String(id)}`);
    bytes += json.length;
    records.push({ ...record, json });
  }
  return records;
}

function indexRows(view: PageView, from: number, count: number): readonly IndexRecord[] {
  const rows = rowsFrom(view, RECORD_PAGE, from);
  const ends = [0, 0, 0, 0];
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const row = rows.next();
    const isNext = row.done !== true && row.value.rowId === number;
    const body = isNext ? recordBody(row.value, ends) : undefined;
    const record = body === undefined ? undefined : knownRecord(body);
    if (record === undefined) throw new DamagedRow(`record ${String(number)}`);
    return record;
  });
}

/** `undefined` if its checksum is wrong. The columns: number, which is the row's key, kind, body, checksum. */
function recordBody(row: StoredRow, ends: number[]): string | undefined {
  const sum = readColumns(row, ends);
  if (sum === undefined) return undefined;
  const body = row.bytes.subarray(ends[1], ends[2]);
  return bytesChecksum(body, checksum(String(row.rowId))) === sum ? body.toString() : undefined;
}

/** The same. The columns: id, which is the row's key, step, entry, body, checksum of the two before. */
function messageBody(row: StoredRow, ends: number[]): Uint8Array | undefined {
  const sum = readColumns(row, ends);
  if (sum === undefined) return undefined;
  const isRight = bytesChecksum(row.bytes.subarray(ends[1], ends[3])) === sum;
  return isRight ? row.bytes.subarray(ends[2], ends[3]) : undefined;
}
