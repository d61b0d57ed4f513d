/** Changes of a text with `\n` as line ends, carried over to the text with its own ones, whichever they are, and mixed. */

import type { TextChange } from "../../../adapters/diff/textChanges.ts";

/**
 * `changes` are of `text` with `\n` for each `\r\n`. A new line ends as the one that it replaces, else as the one before
 * it, else as the next one.
 */
export function withOwnLineEnds(text: string, changes: readonly TextChange[]): readonly TextChange[] {
  /** Of each line end, its place in the plain text, and whether it is `\r\n`. */
  const ends: { readonly at: number; readonly isWide: boolean }[] = [];
  /** Places of the wide ones in the plain text. */
  const wide: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    const isWide = text[at - 1] === "\r";
    if (isWide) wide.push(at - 1 - wide.length);
    ends.push({ at: at - wide.length, isWide });
  }
  const placeOf = (plain: number): number => plain + countBelow(wide, plain);
  const plainPlaces = ends.map(({ at }) => at);
  return changes.map(({ start, end, text: fresh }) => {
    const [first, after] = [countBelow(plainPlaces, start), countBelow(plainPlaces, end)];
    const last = after - 1 >= first ? after - 1 : first > 0 ? first - 1 : 0;
    const lines = fresh.split("\n");
    const written = lines.map((line, index) => {
      if (index === lines.length - 1) return line;
      const replaced = first + index < after ? first + index : last;
      return line + (ends[replaced]?.isWide === true ? "\r\n" : "\n");
    });
    return { start: placeOf(start), end: placeOf(end), text: written.join("") };
  });
}

/** Number of places below `at`; they are in order. */
function countBelow(places: readonly number[], at: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
