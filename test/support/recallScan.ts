/** What one search over the whole history would bring back: the passages around the words, best first. */

/** A passage of a message. */
export interface Recalled {
  readonly index: number;
  readonly passage: string;
}

/** A search answers so many passages. */
const MOST_PASSAGES = 10;
/** Characters before and behind the words. */
const AROUND_UNITS = 400;

/** Looks for all words of `query` in `texts`; those where they stand closest together come first. */
export function recallScan(texts: readonly string[], query: string): readonly Recalled[] {
  const words = query.toLowerCase().split(/\s+/);
  const found = texts.flatMap((text, index) => {
    const lower = text.toLowerCase();
    const whole = lower.indexOf(query.toLowerCase());
    if (!words.every((word) => lower.includes(word))) return [];
    const [at, width] = whole >= 0 ? [whole, query.length] : closest(lower, words);
    const passage = text.slice(Math.max(0, at - AROUND_UNITS), at + width + AROUND_UNITS);
    return [{ index, passage, width: whole >= 0 ? 0 : width }];
  });
  return found.sort((a, b) => a.width - b.width || b.index - a.index).slice(0, MOST_PASSAGES);
}

/** Where the words stand closest together, seen from each place of the first one, and how far apart. */
function closest(text: string, [first = "", ...others]: readonly string[]): readonly [at: number, width: number] {
  let best: readonly [at: number, width: number] = [0, Infinity];
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const places = [at, ...others.map((word) => nearest(text, word, at))];
    const start = Math.min(...places);
    const ends = places.map((place, index) => place + ([first, ...others][index]?.length ?? 0));
    const width = Math.max(...ends) - start;
    if (width < best[1]) best = [start, width];
  }
  return best;
}

function nearest(text: string, word: string, to: number): number {
  const before = text.lastIndexOf(word, to);
  const behind = text.indexOf(word, to);
  if (before < 0 || behind < 0) return Math.max(before, behind);
  return to - before < behind - to ? before : behind;
}
