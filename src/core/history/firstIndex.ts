/** Looking things up in what is sorted. */

/** The first index from which on `isBefore` no longer holds; `length` where it holds for all. Asks as often as a binary search. */
export function firstIndex<T>(sorted: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
