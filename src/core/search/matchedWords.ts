/** Which words of a text a search has found, as they stand in it: for marking them where they are shown. */

import { phrasePlaces } from "./phrasePlaces.ts";
import type { SearchQuery } from "./searchQuery.ts";
import { foldText, searchWords, type SearchWord } from "./searchWords.ts";

/** More than these are not told: a text that is found everywhere has few words that differ. */
const MOST_WORDS = 40;
/** A word as it stands in a text, from its first letter on. */
const WHOLE_WORD = /^[\p{L}\p{N}\p{M}_]+/u;
/** How far behind the beginning of a word its end is looked for. */
const LONGEST_LOOK = 200;

/** Stretches of `text` that match a phrase of `query` or its literals, each once, in the order in which they come up. */
export function matchedWords(query: SearchQuery, text: string): readonly string[] {
  const matched = new Set<string>();
  const words = query.phrases.length === 0 ? [] : [...searchWords(text)];
  for (const phrase of query.phrases) {
    for (const place of phrasePlaces(words, phrase)) {
      if (matched.size >= MOST_WORDS) break;
      const last = words[place.at + phrase.words.length - 1];
      const wanted = phrase.words.at(-1)?.folded ?? "";
      if (last === undefined) continue;
      const isOne = phrase.words.length === 1;
      matched.add(text.slice(place.start, endOf(text, last, isOne ? place.start : last.start, wanted)));
    }
  }
  const lower = text.toLowerCase();
  for (const literal of query.literals) {
    const at = lower.indexOf(literal);
    if (at >= 0) matched.add(text.slice(at, at + literal.length));
  }
  return [...matched].filter((word) => word.trim() !== "");
}

/** Where what was wanted ends: inside a word whose letters are folded one by one, else where the word does. */
function endOf(text: string, word: SearchWord, from: number, wanted: string): number {
  if (word.isRun) {
    const at = word.folded.indexOf(wanted, Math.max(0, from - word.start));
    return at < 0 ? from + wanted.length : word.start + at + wanted.length;
  }
  const whole = WHOLE_WORD.exec(text.slice(from, from + LONGEST_LOOK))?.[0] ?? wanted;
  const beginning = whole.slice(0, wanted.length);
  return from + (foldText(beginning) === wanted ? beginning.length : whole.length);
}
