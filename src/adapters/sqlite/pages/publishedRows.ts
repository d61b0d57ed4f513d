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
import { storedColumns } from "./pageCells.ts";
import { MESSAGE_PAGE, RECORD_PAGE, rowsFrom } from "./tableWalk.ts";

/** Columns of the tables, see `schema`: a row's key is stored as an empty one. */
const RECORD_COLUMNS = 4;
const MESSAGE_COLUMNS = 5;

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
    const json = isNext ? messageBody(row.value.payload) : undefined;
    if (json === undefined) throw new DamagedRow(`message ${String(id)}`);
    bytes += json.length;
    records.push({ ...record, json });
  }
  return records;
}

function indexRows(view: PageView, from: number, count: number): readonly IndexRecord[] {
  const rows = rowsFrom(view, RECORD_PAGE, from);
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const row = rows.next();
    const isNext = row.done !== true && row.value.rowId === number;
    const body = isNext ? recordBody(number, row.value.payload) : undefined;
    const record = body === undefined ? undefined : knownRecord(body.toString());
    if (record === undefined) throw new DamagedRow(`record ${String(number)}`);
    return record;
  });
}

/** `undefined` if its checksum is wrong. */
function recordBody(number: number, payload: Buffer): Buffer | undefined {
  const { ends = [], last } = storedColumns(payload, RECORD_COLUMNS) ?? {};
  const [, kindEnd, bodyEnd] = ends;
  const body = payload.subarray(kindEnd, bodyEnd);
  return bytesChecksum(body, checksum(String(number))) === last ? body : undefined;
}

/** The same; the checksum is that of the entry and the body, which is behind it. */
function messageBody(payload: Buffer): Buffer | undefined {
  const { ends = [], last } = storedColumns(payload, MESSAGE_COLUMNS) ?? {};
  const [, stepEnd, entryEnd, bodyEnd] = ends;
  return bytesChecksum(payload.subarray(stepEnd, bodyEnd)) === last ? payload.subarray(entryEnd, bodyEnd) : undefined;
}
