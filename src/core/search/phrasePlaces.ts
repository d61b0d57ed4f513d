/** Finds words that follow each other in a text, in time linear in both, however repetitive (Knuth-Morris-Pratt). */

import type { SearchWord, WordBeginning } from "./searchWords.ts";

/** Words that must be adjacent in the text. */
export interface SearchPhrase {
  readonly words: readonly Pick<SearchWord, "folded" | "isRun">[];
  /** The last word may be a prefix of a longer one. */
  readonly isOpen: boolean;
}

export interface SearchMatch {
  /** Higher is better. */
  readonly score: number;
  /** Offset in the text, approximate. */
  readonly start: number;
}

export interface PhrasePlace extends SearchMatch {
  /** Index of its first word in the text. */
  readonly at: number;
}

/** Score of a whole word. */
export const WHOLE_WORD_SCORE = 2;
const BEGINNING_OF_WORD = 1;
const INSIDE_WORD = 0.5;

type WantedWord = SearchPhrase["words"][number];

/** In text order. */
export function* phrasePlaces(words: readonly SearchWord[], phrase: SearchPhrase): Generator<PhrasePlace, void> {
  const { words: wanted, isOpen } = phrase;
  const [first] = wanted;
  const last = wanted.at(-1);
  if (first === undefined || last === undefined) return;
  for (const at of wanted.length < 3 ? everyPlace(words, wanted) : placesOfMiddle(words, wanted)) {
    const begins = edgeAt(words[at], first, { isFirst: true, allowsPrefix: isOpen && wanted.length === 1 });
    if (begins === undefined) continue;
    if (wanted.length === 1) {
      yield { at, ...begins };
      continue;
    }
    const ends = edgeAt(words[at + wanted.length - 1], last, { isFirst: false, allowsPrefix: isOpen });
    if (ends === undefined) continue;
    const score = begins.score + ends.score + WHOLE_WORD_SCORE * (wanted.length - 2);
    yield { at, start: begins.start, score: score / wanted.length };
  }
}

function* everyPlace(words: readonly SearchWord[], wanted: readonly WantedWord[]): Generator<number, void> {
  for (let at = 0; at + wanted.length <= words.length; at++) yield at;
}

/**
 * Places of all but the first and last of three or more words. These match as wholes, so one pass over the text is
 * enough: at a mismatch, what was found so far may end with a shorter prefix that continues.
 */
function* placesOfMiddle(words: readonly SearchWord[], wanted: readonly WantedWord[]): Generator<number, void> {
  const numbers = new Map<string, number>();
  const middle = wanted.slice(1, -1).map((word) => {
    const name = nameOf(word);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  const shorter = failureTable(middle);
  let found = 0;
  for (let at = 1; at + 1 < words.length; at++) {
    const word = words[at];
    const number = word && numbers.get(nameOf(word));
    found = foundWith(number, found, { middle, shorter });
    if (found < middle.length) continue;
    yield at - middle.length;
    found = shorter[found - 1] ?? 0;
  }
}

/** For each prefix of `middle`, the length of its longest proper prefix that is also its suffix. */
function failureTable(middle: readonly number[]): readonly number[] {
  const shorter = [0];
  for (let at = 1; at < middle.length; at++) {
    shorter.push(foundWith(middle[at], shorter[at - 1] ?? 0, { middle, shorter }));
  }
  return shorter;
}

/** Length of the prefix of `middle` that is found with one more word, when `found` words were before. */
function foundWith(
  number: number | undefined,
  found: number,
  { middle, shorter }: { readonly middle: readonly number[]; readonly shorter: readonly number[] },
): number {
  let left = found;
  while (left > 0 && middle[left] !== number) left = shorter[left - 1] ?? 0;
  return number !== undefined && middle[left] === number ? left + 1 : 0;
}

function nameOf({ folded, isRun }: WantedWord): string {
  return isRun ? `${folded} ` : folded; // a folded word has no space
}

/** Match of the first or last word of a phrase in `word`; `undefined` when there is none. */
function edgeAt(
  word: SearchWord | undefined,
  { folded, isRun }: WantedWord,
  place: { readonly isFirst: boolean; readonly allowsPrefix: boolean },
): SearchMatch | undefined {
  if (word?.isRun !== isRun) return undefined;
  const from = beginningOf(word, folded, place);
  if (from === undefined) return undefined;
  const isWhole = isRun || folded.length === word.folded.length;
  return { start: from.start, score: isWhole ? WHOLE_WORD_SCORE : from.at === 0 ? BEGINNING_OF_WORD : INSIDE_WORD };
}

/** Only the first word of a phrase may begin inside `word`; only the last one may end inside. */
function beginningOf(
  { folded, isRun, beginnings, start }: SearchWord,
  wanted: string,
  { isFirst, allowsPrefix }: { readonly isFirst: boolean; readonly allowsPrefix: boolean },
): WordBeginning | undefined {
  const fits = (at: number): boolean =>
    folded.startsWith(wanted, at) && (allowsPrefix || at + wanted.length === folded.length);
  if (!isFirst) return fits(0) ? { at: 0, start } : undefined;
  if (!isRun) return beginnings.find(({ at }) => fits(at));
  const at = allowsPrefix ? folded.indexOf(wanted) : folded.length - wanted.length;
  return at >= 0 && fits(at) ? { at, start: start + at } : undefined; // folding preserves nearly every length
}
