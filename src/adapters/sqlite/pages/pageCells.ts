/**
 * Decodes the rows on a b-tree page, whose first byte gives its type. A table with row ids has rows only on leaf pages,
 * one without also on interior pages. Invalid data is skipped; no input makes this code throw.
 */

import type { PageView } from "./databasePages.ts";

/** `undefined` stands for a blob or a floating-point value; this program's tables contain neither. */
export type CellValue = string | number | null | undefined;

/** A decoded row. */
export interface Cell {
  /** `undefined` in a table without row ids. */
  readonly rowId: number | undefined;
  readonly values: readonly CellValue[];
}

const TABLE_LEAF = 0x0d;
const TABLE_INTERIOR = 0x05;
const INDEX_LEAF = 0x0a;
const INDEX_INTERIOR = 0x02;
const FILE_HEADER_BYTES = 100; // precede the b-tree on page 1
const PAYLOAD_LIMIT = 512 * 1024 * 1024;
/** Of a row with all of its bytes on a leaf, at least: a longer one goes on elsewhere. */
const LEAF_OVERHEAD = 35;

export interface RowPage {
  /** Only the readable ones. */
  readonly cells: readonly Cell[];
  /** Whether the number of readable rows matches the page header. */
  readonly isWhole: boolean;
  /** Child pages; only in a table without row ids. */
  readonly children: readonly number[];
}

export function cellsOf(view: PageView, number: number): readonly Cell[] {
  return rowPage(view, number)?.cells ?? [];
}

export interface TableChild {
  readonly page: number;
  /** The highest row id that may be on it. */
  readonly upTo: number;
}

/** A page of a table with row ids. */
export interface TablePage {
  /** In the order of their keys; `undefined` for a leaf. */
  readonly children: readonly TableChild[] | undefined;
  /** Number of cells. */
  readonly count: number;
  readonly bytes: Buffer;
}

/** `undefined` if page `number` is no page of a table with row ids. */
export function tablePage(view: PageView, number: number): TablePage | undefined {
  const bytes = number === 1 ? undefined : view.page(number);
  const kind = bytes?.[0];
  if (bytes === undefined || (kind !== TABLE_LEAF && kind !== TABLE_INTERIOR)) return undefined;
  const count = bytes.readUInt16BE(3);
  if (kind === TABLE_LEAF) return { children: undefined, count, bytes };
  const children: TableChild[] = [];
  for (let index = 0; index < count && 12 + 2 * index + 2 <= bytes.length; index++) {
    const offset = bytes.readUInt16BE(12 + 2 * index);
    if (offset + 4 > bytes.length) continue;
    children.push({ page: bytes.readUInt32BE(offset), upTo: new Reader(bytes, offset + 4).varint() });
  }
  return { children: [...children, { page: bytes.readUInt32BE(8), upTo: Infinity }], count, bytes };
}

/** The row ids on a leaf, in order; without those whose cells lie outside the page. */
export function rowIdsOnPage({ bytes, count }: TablePage): readonly number[] {
  const rowIds: number[] = [];
  for (let index = 0; index < count && 8 + 2 * index + 2 <= bytes.length; index++) {
    const reader = new Reader(bytes, bytes.readUInt16BE(8 + 2 * index));
    reader.varint(); // size of the row
    const rowId = reader.varint();
    if (reader.isInside) rowIds.push(rowId);
  }
  return rowIds;
}

/** A row as it is stored: a header, then its columns. */
export interface StoredRow {
  readonly rowId: number;
  /** Those of its page, or its own. */
  readonly bytes: Buffer;
  readonly start: number;
  /** As `start` if a page of it is missing. */
  readonly end: number;
}

/** The rows on a leaf with a key of at least `from`, in order. */
export function storedRowsOn(view: PageView, { bytes, count }: TablePage, from: number): readonly StoredRow[] {
  const rows: StoredRow[] = [];
  const reader = new Reader(bytes, 0);
  for (let index = 0; index < count && 8 + 2 * index + 2 <= bytes.length; index++) {
    reader.at = bytes.readUInt16BE(8 + 2 * index);
    const payloadBytes = reader.varint();
    const rowId = reader.varint();
    if (rowId < from) continue;
    const [start, end] = [reader.at, reader.at + payloadBytes];
    if (payloadBytes <= view.usableBytes - LEAF_OVERHEAD && end <= bytes.length) {
      rows.push({ rowId, bytes, start, end });
      continue;
    }
    const isRow = reader.isInside && payloadBytes <= PAYLOAD_LIMIT;
    const own = isRow ? payloadOf(view, bytes, start, payloadBytes, true) : undefined;
    rows.push({ rowId, bytes: own ?? bytes, start: 0, end: own?.length ?? 0 });
  }
  return rows;
}

/**
 * Reads into `ends` where in the row's bytes its columns end, all of them. The number in the last one; `undefined` if it has
 * none, or another number of columns.
 */
export function readColumns(row: StoredRow, ends: number[]): number | undefined {
  const header = new Reader(row.bytes, row.start);
  const first = row.start + header.varint();
  let [type, start, end, column] = [0, first, first, 0];
  while (header.at < first && column < ends.length) {
    type = header.varint();
    start = end;
    end += lengthOf(type);
    ends[column++] = end;
  }
  if (column !== ends.length || header.at !== first || end !== row.end) return undefined;
  const last = valueAt(row.bytes, start, type, end - start);
  return typeof last === "number" ? last : undefined;
}

/** `undefined` if page `number` is not a page with rows. */
export function rowPage(view: PageView, number: number): RowPage | undefined {
  const page = view.page(number);
  if (page === undefined) return undefined;
  const start = number === 1 ? FILE_HEADER_BYTES : 0;
  const kind = page[start];
  if (kind !== TABLE_LEAF && kind !== INDEX_LEAF && kind !== INDEX_INTERIOR) return undefined;
  const isInterior = kind === INDEX_INTERIOR;
  const children = isInterior ? [page.readUInt32BE(start + 8)] : [];
  const cells: Cell[] = [];
  const count = page.readUInt16BE(start + 3);
  for (let index = 0; index < count; index++) {
    const pointerAt = start + (isInterior ? 12 : 8) + 2 * index;
    if (pointerAt + 2 > page.length) break;
    const offset = page.readUInt16BE(pointerAt);
    if (isInterior && offset + 4 <= page.length) children.push(page.readUInt32BE(offset));
    const cell = cellAt(view, page, isInterior ? offset + 4 : offset, kind === TABLE_LEAF);
    if (cell !== undefined) cells.push(cell);
  }
  return { cells, isWhole: cells.length === count, children };
}

function cellAt(view: PageView, page: Buffer, offset: number, isTable: boolean): Cell | undefined {
  const reader = new Reader(page, offset);
  const payloadBytes = reader.varint();
  const rowId = isTable ? reader.varint() : undefined;
  if (!reader.isInside || payloadBytes < 1 || payloadBytes > PAYLOAD_LIMIT) return undefined;
  const payload = payloadOf(view, page, reader.at, payloadBytes, isTable);
  const values = payload === undefined ? undefined : valuesOf(payload);
  return values === undefined ? undefined : { rowId, values };
}

/** A row's bytes: the local part and its chain of overflow pages. */
function payloadOf(view: PageView, page: Buffer, at: number, total: number, isTable: boolean): Buffer | undefined {
  const usable = view.usableBytes;
  const most = isTable ? usable - LEAF_OVERHEAD : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (total <= most) return at + total <= page.length ? page.subarray(at, at + total) : undefined;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((total - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  if (at + local + 4 > page.length) return undefined;
  const pieces = [page.subarray(at, at + local)];
  let missing = total - local;
  let next = page.readUInt32BE(at + local);
  // A cyclic chain ends when the row is complete; the row's checksum then exposes it.
  while (missing > 0) {
    const bytes = view.page(next);
    if (bytes === undefined) return undefined;
    const piece = bytes.subarray(4, 4 + Math.min(missing, usable - 4));
    pieces.push(piece);
    missing -= piece.length;
    next = bytes.readUInt32BE(0);
  }
  return Buffer.concat(pieces);
}

function valuesOf(payload: Buffer): readonly CellValue[] | undefined {
  const header = new Reader(payload, 0);
  const headerBytes = header.varint();
  if (headerBytes > payload.length) return undefined;
  const values: CellValue[] = [];
  let at = headerBytes;
  while (header.at < headerBytes) {
    const type = header.varint();
    const length = lengthOf(type);
    if (!header.isInside || at + length > payload.length) return undefined;
    values.push(valueAt(payload, at, type, length));
    at += length;
  }
  return values;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

function lengthOf(type: number): number {
  return type < INTEGER_BYTES.length ? (INTEGER_BYTES[type] ?? 0) : Math.floor((type - 12) / 2);
}

function valueAt(payload: Buffer, at: number, type: number, length: number): CellValue {
  if (type === 0) return null;
  if (type >= 1 && type <= 5) return payload.readIntBE(at, length);
  if (type === 6) return Number(payload.readBigInt64BE(at));
  if (type === 8 || type === 9) return type - 8;
  return type >= 13 && type % 2 === 1 ? payload.toString("utf8", at, at + length) : undefined;
}

class Reader {
  at: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** False once a read went past the end. */
  get isInside(): boolean {
    return this.at <= this.#bytes.length;
  }

  /** SQLite's varint, one to nine bytes. Values beyond the precision of a double do not occur in valid files. */
  varint(): number {
    let value = 0;
    for (let index = 0; index < 9; index++) {
      const byte = this.#bytes[this.at++] ?? 0;
      if (index === 8) return value * 256 + byte;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value;
  }
}
