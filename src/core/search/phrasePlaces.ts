/** Where in a text words follow each other. Takes as long as the text and the words together, whatever they repeat. */

import type { SearchWord, WordBeginning } from "./searchWords.ts";

/** Words that must follow each other in the text. */
export interface SearchPhrase {
  readonly words: readonly Pick<SearchWord, "folded" | "isRun">[];
  /** The last word may be the beginning of a longer one. */
  readonly isOpen: boolean;
}

/** How well a text matches, and where. */
export interface SearchMatch {
  /** More is better. */
  readonly score: number;
  /** Where in the text it begins, or near that. */
  readonly start: number;
}

/** A place at which a phrase stands. */
export interface PhrasePlace extends SearchMatch {
  /** The first of its words, among those of the text. */
  readonly at: number;
}

/** What a word counts that stands in the text as it was typed. */
export const WHOLE_WORD = 2;
const BEGINNING_OF_WORD = 1;
const INSIDE_WORD = 0.5;

type WantedWord = SearchPhrase["words"][number];

/** All places of a phrase, in their order. */
export function* phrasePlaces(words: readonly SearchWord[], phrase: SearchPhrase): Generator<PhrasePlace, void> {
  const { words: wanted, isOpen } = phrase;
  const [first] = wanted;
  const last = wanted.at(-1);
  if (first === undefined || last === undefined) return;
  for (const at of wanted.length < 3 ? everyPlace(words, wanted) : placesOfMiddle(words, wanted)) {
    const begins = edgeAt(words[at], first, { isFirst: true, mayGoOn: isOpen && wanted.length === 1 });
    if (begins === undefined) continue;
    if (wanted.length === 1) {
      yield { at, ...begins };
      continue;
    }
    const ends = edgeAt(words[at + wanted.length - 1], last, { isFirst: false, mayGoOn: isOpen });
    if (ends === undefined) continue;
    const score = begins.score + ends.score + WHOLE_WORD * (wanted.length - 2);
    yield { at, start: begins.start, score: score / wanted.length };
  }
}

function* everyPlace(words: readonly SearchWord[], wanted: readonly WantedWord[]): Generator<number, void> {
  for (let at = 0; at + wanted.length <= words.length; at++) yield at;
}

/**
 * The places at which all but the first and the last of three or more words stand: as wholes, so one walk along the text is
 * enough. Where the next word is another one, what was found so far may hold a shorter beginning that goes on.
 */
function* placesOfMiddle(words: readonly SearchWord[], wanted: readonly WantedWord[]): Generator<number, void> {
  const numbers = new Map<string, number>();
  const middle = wanted.slice(1, -1).map((word) => {
    const name = nameOf(word);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  const shorter = shorterBeginnings(middle);
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

/** For each beginning of `middle`, how much of `middle` its end is at most, without being all of it. */
function shorterBeginnings(middle: readonly number[]): readonly number[] {
  const shorter = [0];
  for (let at = 1; at < middle.length; at++) {
    shorter.push(foundWith(middle[at], shorter[at - 1] ?? 0, { middle, shorter }));
  }
  return shorter;
}

/** How much of `middle` is found with one more word, when `found` of it were before. */
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
  return isRun ? `${folded} ` : folded; // no folded word has a blank
}

/** How the first or the last word of a phrase stands in `word`; `undefined` where it does not. */
function edgeAt(
  word: SearchWord | undefined,
  { folded, isRun }: WantedWord,
  place: { readonly isFirst: boolean; readonly mayGoOn: boolean },
): SearchMatch | undefined {
  if (word?.isRun !== isRun) return undefined;
  const from = beginningOf(word, folded, place);
  if (from === undefined) return undefined;
  const isWhole = isRun || folded.length === word.folded.length;
  return { start: from.start, score: isWhole ? WHOLE_WORD : from.at === 0 ? BEGINNING_OF_WORD : INSIDE_WORD };
}

/** Where in `word` the wanted one begins. Only the first of a phrase may begin inside; only the last may end inside. */
function beginningOf(
  { folded, isRun, beginnings, start }: SearchWord,
  wanted: string,
  { isFirst, mayGoOn }: { readonly isFirst: boolean; readonly mayGoOn: boolean },
): WordBeginning | undefined {
  const fits = (at: number): boolean =>
    folded.startsWith(wanted, at) && (mayGoOn || at + wanted.length === folded.length);
  if (!isFirst) return fits(0) ? { at: 0, start } : undefined;
  if (!isRun) return beginnings.find(({ at }) => fits(at));
  const at = mayGoOn ? folded.indexOf(wanted) : folded.length - wanted.length;
  return at >= 0 && fits(at) ? { at, start: start + at } : undefined; // folding leaves nearly every length as it is
}
