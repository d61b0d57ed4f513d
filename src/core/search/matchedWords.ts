/** The words of a text that a query matches, verbatim, for highlighting. */

import { phrasePlaces } from "./phrasePlaces.ts";
import type { SearchQuery } from "./searchQuery.ts";
import { foldText, searchWords, type SearchWord } from "./searchWords.ts";

/** A text that matches everywhere has few distinct words. */
const MOST_WORDS = 40;
/** A whole word, from its first letter on. */
const WHOLE_WORD = /^[\p{L}\p{N}\p{M}_]+/u;
/** Most UTF-16 units that are searched for the end of a word. */
const LONGEST_LOOK = 200;

/** Distinct ranges of `text` that match a phrase or literal of `query`, in the order of the query. */
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

/** End of the match: inside a word whose letters are folded one by one, else at the end of the word. */
function endOf(text: string, word: SearchWord, from: number, wanted: string): number {
  if (word.isRun) {
    const at = word.folded.indexOf(wanted, Math.max(0, from - word.start));
    return at < 0 ? from + wanted.length : word.start + at + wanted.length;
  }
  const whole = WHOLE_WORD.exec(text.slice(from, from + LONGEST_LOOK))?.[0] ?? wanted;
  const beginning = whole.slice(0, wanted.length);
  return from + (foldText(beginning) === wanted ? beginning.length : whole.length);
}
