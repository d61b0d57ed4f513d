/**
 * Which of the rows at hand are mounted: a stretch `[start, end)`, at most `maxMounted` rows long, and whether the
 * reader is at the tail and wants to stay there. Pure arithmetic; the transcript keeps the reader's line still.
 */

/** A stretch of row indexes, `end` exclusive, with `0 <= start <= end <= count of rows`. */
export interface RowWindow {
  readonly start: number;
  readonly end: number;
  /** The reader is at the newest row and goes along with it. */
  readonly following: boolean;
}

/** Rows mounted when a conversation opens. */
export const openMounted = 40;
/** Most rows mounted at any time: 60 rich rows are about 5,000 nodes. */
export const maxMounted = 60;
/** Rows by which the stretch moves at once; few, so that a move draws little. */
const step = 12;

/** The newest rows, with the reader following them. */
export function windowAtTail(count: number): RowWindow {
  return { start: Math.max(0, count - openMounted), end: count, following: true };
}

/** The stretch around the row at `index`, of `count`; the reader stays there. */
export function windowAround(index: number, count: number): RowWindow {
  const start = Math.max(0, Math.min(index - step, count - openMounted));
  return { start, end: Math.min(count, start + openMounted), following: false };
}

/** The stretch that begins with the row at `index`, of `count`, after all rows were sent anew; the reader stays there. */
export function windowFrom(index: number, count: number): RowWindow {
  return { start: index, end: Math.min(count, index + maxMounted), following: false };
}

/** After `added` rows were put at the end, `count` rows in all. A reader who is elsewhere stays there. */
export function windowAfterAppend(window: RowWindow, count: number, added: number): RowWindow {
  if (window.end !== count - added) return window;
  if (!window.following) return { ...window, end: Math.min(count, Math.max(window.end, window.start + maxMounted)) };
  return count - window.start > maxMounted ? windowAtTail(count) : { ...window, end: count };
}

/** After `added` older rows were put at the beginning: the same rows, and a step of the new ones. */
export function windowAfterPrepend(window: RowWindow, added: number): RowWindow {
  return windowUp({ ...window, start: window.start + added, end: window.end + added });
}

/** After the row at `index` went away. */
export function windowAfterRemoval(window: RowWindow, index: number): RowWindow {
  return {
    start: index < window.start ? window.start - 1 : window.start,
    end: index < window.end ? window.end - 1 : window.end,
    following: window.following,
  };
}

/** A step towards the oldest row. A reader who follows goes on doing so while the newest row stays mounted. */
export function windowUp(window: RowWindow): RowWindow {
  const start = Math.max(0, window.start - step);
  const end = Math.min(window.end, start + maxMounted);
  return { start, end, following: window.following && end === window.end };
}

/** A step towards the newest row, of `count`. */
export function windowDown(window: RowWindow, count: number): RowWindow {
  const end = Math.min(count, window.end + step);
  return { start: Math.max(window.start, end - maxMounted), end, following: window.following };
}
