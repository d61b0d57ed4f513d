/**
 * Finds the ranges that hold a position or share a message with another range, without looking at the others. Ranges lie in
 * a grid: one row for each power of two of their length, divided into cells of that length by where they start. So of a
 * row, a position concerns three cells at most.
 */

import type { MessageRange } from "./summaries/summary.ts";

/** A range and the items that were added with it; in a conversation many summaries may stand for the same messages. */
interface Place<T> {
  readonly range: MessageRange;
  readonly items: T[];
}

/** Items, each with a range. Only ever grows. */
export class RangeIndex<T> {
  /** By the exponent of two, then by the number of the cell. */
  readonly #rows: Map<number, Place<T>[]>[] = [];
  /** By the start of a range, times {@link LONGEST}, and its end. */
  readonly #places = new Map<number, Place<T>>();

  /** Adds an item. */
  add(item: T, range: MessageRange): void {
    const name = range.start * LONGEST + range.end;
    const known = this.#places.get(name);
    if (known !== undefined) {
      known.items.push(item);
      return;
    }
    const place = { range, items: [item] };
    this.#places.set(name, place);
    const exponent = Math.floor(Math.log2(Math.max(1, range.end - range.start)));
    while (this.#rows.length <= exponent) this.#rows.push(new Map());
    const row = this.#rows[exponent];
    const number = cellOf(range.start, exponent);
    const cell = row?.get(number);
    if (cell === undefined) row?.set(number, [place]);
    else cell.push(place);
  }

  /** The items whose range `accepts` and that have `position` inside, not merely at an edge. */
  around(position: number, accepts: (range: MessageRange) => boolean): readonly T[] {
    return this.#between(position, position, (range) => {
      return range.start < position && position < range.end && accepts(range);
    });
  }

  /** The items whose range shares a message with `range`. */
  overlapping({ start, end }: MessageRange): readonly T[] {
    return this.#between(start, end, (other) => other.start < end && start < other.end);
  }

  /** Items that may begin before `end` and end behind `start`, and that `accepts`. */
  #between(start: number, end: number, accepts: (range: MessageRange) => boolean): readonly T[] {
    const items: T[] = [];
    for (const [exponent, row] of this.#rows.entries()) {
      for (const cell of cellsOf(row, cellOf(start - 2 * 2 ** exponent, exponent), cellOf(end, exponent))) {
        for (const place of cell) if (accepts(place.range)) for (const item of place.items) items.push(item);
      }
    }
    return items;
  }
}

/** More messages than a conversation can hold; its square is a number that is still exact. */
const LONGEST = 2 ** 26;

/** The cells from number `first` to `last`, by whichever way is shorter. */
function cellsOf<T>(row: ReadonlyMap<number, T>, first: number, last: number): readonly T[] {
  if (last - first < row.size) {
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => row.get(first + at));
    return numbers.filter((cell) => cell !== undefined);
  }
  return [...row].flatMap(([number, cell]) => (first <= number && number <= last ? [cell] : []));
}

function cellOf(position: number, exponent: number): number {
  return Math.floor(position / 2 ** exponent);
}
