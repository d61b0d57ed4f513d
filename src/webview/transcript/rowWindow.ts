/**
 * Window of mounted rows, bounded by their number and the length of their texts, and whether the reader is at the
 * newest row and follows it. Pure; the transcript preserves the reader's line.
 */
import type { Row } from "../../protocol/toView.ts";

/** Row indexes, `end` exclusive, with `0 <= start <= end <= number of rows`. */
export interface RowWindow {
  readonly start: number;
  readonly end: number;
  /** The reader is at the newest row, and the view scrolls with it. */
  readonly following: boolean;
}

/** Limit for adjacent rows; `length` is that of their texts in UTF-16 units. One row is always within it. */
interface Bound {
  readonly rows: number;
  readonly length: number;
}

/** Mounted when a conversation opens: 60,000 characters of usual answers are about 7,000 elements. */
const opening: Bound = { rows: 40, length: 60_000 };
/** Rows of the window that stay mounted when it moves by a {@link step}: as much as a few viewports hold. */
const staying: Bound = { rows: 48, length: 120_000 };
/** Rows mounted at a time when the reader reaches the window's edge. */
const step: Bound = { rows: 12, length: 20_000 };
export const maxMounted = staying.rows + step.rows;
const most: Bound = { rows: maxMounted, length: staying.length };

/** The newest rows, followed by the reader. */
export function windowAtTail(rows: readonly Row[]): RowWindow {
  return { start: rowsAbove(rows, rows.length, opening), end: rows.length, following: true };
}

/** The rows around the one at `index`, without following. */
export function windowAround(index: number, rows: readonly Row[]): RowWindow {
  const start = Math.min(rowsAbove(rows, index, step), rowsAbove(rows, rows.length, opening));
  return { start, end: rowsBelow(rows, index, opening), following: false };
}

/** The rows from `index` on, after a snapshot, without following. */
export function windowFrom(index: number, rows: readonly Row[]): RowWindow {
  return { start: index, end: rowsBelow(rows, index, most), following: false };
}

/** After `added` of the `rows` were appended. A reader who is elsewhere stays there. */
export function windowAfterAppend(window: RowWindow, rows: readonly Row[], added: number): RowWindow {
  if (window.end !== rows.length - added) return window;
  if (!window.following) return { ...window, end: Math.max(window.end, rowsBelow(rows, window.start, most)) };
  const hasRoom = rowsAbove(rows, rows.length, most) <= window.start;
  return hasRoom ? { ...window, end: rows.length } : windowAtTail(rows);
}

/** After `added` of the `rows` were prepended: the same rows, and a step of the new ones. */
export function windowAfterPrepend(window: RowWindow, rows: readonly Row[], added: number): RowWindow {
  return windowUp({ ...window, start: window.start + added, end: window.end + added }, rows);
}

/** After the row at `index` was removed. */
export function windowAfterRemoval(window: RowWindow, index: number): RowWindow {
  return {
    start: index < window.start ? window.start - 1 : window.start,
    end: index < window.end ? window.end - 1 : window.end,
    following: window.following,
  };
}

/** One step towards the oldest row. The reader keeps following while the newest row stays mounted. */
export function windowUp(window: RowWindow, rows: readonly Row[]): RowWindow {
  const start = rowsAbove(rows, window.start, step);
  const end = Math.min(window.end, rowsBelow(rows, window.start, staying));
  return { start, end, following: window.following && end === window.end };
}

export function windowDown(window: RowWindow, rows: readonly Row[]): RowWindow {
  const end = rowsBelow(rows, window.end, step);
  return { start: Math.max(window.start, rowsAbove(rows, window.end, staying)), end, following: window.following };
}

/** Start of the rows before `end` that are within the bound. */
function rowsAbove(rows: readonly Row[], end: number, bound: Bound): number {
  let start = end;
  for (let length = 0; start > 0 && end - start < bound.rows; start--) {
    length += lengthOf(rows[start - 1]);
    if (length > bound.length && start < end) break;
  }
  return start;
}

/** End of the rows from `start` on that are within the bound. */
function rowsBelow(rows: readonly Row[], start: number, bound: Bound): number {
  let end = start;
  for (let length = 0; end < rows.length && end - start < bound.rows; end++) {
    length += lengthOf(rows[end]);
    if (length > bound.length && end > start) break;
  }
  return end;
}

function lengthOf(row: Row | undefined): number {
  return row?.kind === "message" ? row.text.length : 0;
}
