/**
 * Finds the ranges that contain a position or overlap another range, without scanning all. Ranges lie in a grid: a row
 * per power of two of their length, divided into cells of that length by their start. So a position concerns at most
 * three cells a row.
 */

import type { MessageRange } from "./summaries/summary.ts";

/** Items with the same range; in a conversation many summaries may cover the same messages. */
interface ItemsOfRange<T> {
  readonly range: MessageRange;
  readonly items: T[];
}

/** Grows only. */
export class RangeIndex<T> {
  /** By exponent of two, then by cell number. */
  readonly #rows: Map<number, ItemsOfRange<T>[]>[] = [];
  /** By the start of a range times {@link MAX_MESSAGES}, plus its end. */
  readonly #places = new Map<number, ItemsOfRange<T>>();

  add(item: T, range: MessageRange): void {
    const name = range.start * MAX_MESSAGES + range.end;
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

  /** Items whose range `accepts`, and that have `position` strictly inside, not at an edge. */
  strictlyContaining(position: number, accepts: (range: MessageRange) => boolean): readonly T[] {
    return this.#between(position, position, (range) => {
      return range.start < position && position < range.end && accepts(range);
    });
  }

  overlapping({ start, end }: MessageRange): readonly T[] {
    return this.#between(start, end, (other) => other.start < end && start < other.end);
  }

  /** Items whose range `accepts`, out of those that may overlap `start` to `end`. */
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

/** More than the messages of any conversation; its square is still an exact number. */
const MAX_MESSAGES = 2 ** 26;

/** Cells `first` to `last`, by whichever iteration is shorter. */
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
