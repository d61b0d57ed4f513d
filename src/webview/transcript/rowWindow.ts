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
interface RowLimit {
  readonly rows: number;
  readonly length: number;
}

/** Mounted when a conversation opens: 60,000 characters of usual answers are about 7,000 elements. */
const openingLimit: RowLimit = { rows: 40, length: 60_000 };
/** Rows of the window that stay mounted when it moves by a {@link stepLimit}: as much as a few viewports hold. */
const retainedLimit: RowLimit = { rows: 48, length: 120_000 };
/** Rows mounted at a time when the reader reaches the window's edge. */
const stepLimit: RowLimit = { rows: 12, length: 20_000 };
export const maxMountedRows = retainedLimit.rows + stepLimit.rows;
const mountedLimit: RowLimit = { rows: maxMountedRows, length: retainedLimit.length };

/** The newest rows, followed by the reader. */
export function windowAtTail(rows: readonly Row[]): RowWindow {
  return { start: startOfRowsBefore(rows, rows.length, openingLimit), end: rows.length, following: true };
}

/** The rows around the one at `index`, without following. */
export function windowAround(index: number, rows: readonly Row[]): RowWindow {
  const start = Math.min(startOfRowsBefore(rows, index, stepLimit), startOfRowsBefore(rows, rows.length, openingLimit));
  return { start, end: endOfRowsFrom(rows, index, openingLimit), following: false };
}

/** The rows from `index` on, after a snapshot, without following. */
export function windowFrom(index: number, rows: readonly Row[]): RowWindow {
  return { start: index, end: endOfRowsFrom(rows, index, mountedLimit), following: false };
}

/** After `added` of the `rows` were appended. A reader who is elsewhere stays there. */
export function windowAfterAppend(window: RowWindow, rows: readonly Row[], added: number): RowWindow {
  if (window.end !== rows.length - added) return window;
  if (!window.following)
    return { ...window, end: Math.max(window.end, endOfRowsFrom(rows, window.start, mountedLimit)) };
  const hasRoom = startOfRowsBefore(rows, rows.length, mountedLimit) <= window.start;
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
  const start = startOfRowsBefore(rows, window.start, stepLimit);
  const end = Math.min(window.end, endOfRowsFrom(rows, window.start, retainedLimit));
  return { start, end, following: window.following && end === window.end };
}

export function windowDown(window: RowWindow, rows: readonly Row[]): RowWindow {
  const end = endOfRowsFrom(rows, window.end, stepLimit);
  return {
    start: Math.max(window.start, startOfRowsBefore(rows, window.end, retainedLimit)),
    end,
    following: window.following,
  };
}

/** Start of the rows before `end` that are within the bound. */
function startOfRowsBefore(rows: readonly Row[], end: number, limit: RowLimit): number {
  let start = end;
  for (let length = 0; start > 0 && end - start < limit.rows; start--) {
    length += lengthOf(rows[start - 1]);
    if (length > limit.length && start < end) break;
  }
  while (start > 0 && isRest(rows, start)) start--;
  return start;
}

/** True when a row is shown as part of the one before it. */
function isRest(rows: readonly Row[], index: number): boolean {
  const row = rows[index];
  return row?.kind === "message" && row.continues !== null && row.continues === rows[index - 1]?.rowId;
}

/** End of the rows from `start` on that are within the bound. */
function endOfRowsFrom(rows: readonly Row[], start: number, limit: RowLimit): number {
  let end = start;
  for (let length = 0; end < rows.length && end - start < limit.rows; end++) {
    length += lengthOf(rows[end]);
    if (length > limit.length && end > start) break;
  }
  return end;
}

function lengthOf(row: Row | undefined): number {
  return row?.kind === "message" ? row.text.length : 0;
}
