/** The words of a message by which it is found: not stemmed, so that the index outlives the stemmers. */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { Message } from "../../message.ts";
import { isStopWord, languageOf } from "../ranking/stopWords.ts";
import { isTalk } from "../ranking/talk.ts";
import { partsOf } from "../ranking/terms.ts";
import { searchText } from "../searchText.ts";
import { cutTerm } from "../searchTerms.ts";
import { searchWords, type SearchWord } from "../searchWords.ts";

export interface IndexedWords {
  /** Occurrences by word. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of terms, repeated ones included. */
  readonly length: number;
  readonly isTalk: boolean;
}

/** Words between two pauses: about a millisecond of work. */
const WORDS_AT_ONCE = 1_000;

/** Pauses every thousand words. */
export function* indexedWords(message: Message): CooperativeTask<IndexedWords> {
  const words: SearchWord[] = [];
  for (const word of searchWords(searchText(message))) if (words.push(word) % WORDS_AT_ONCE === 0) yield;
  const language = languageOf(words);
  const counts = new Map<string, number>();
  let length = 0;
  for (const [at, word] of words.entries()) {
    if (at % WORDS_AT_ONCE === 0) yield;
    for (const { folded, isWhole } of partsOf(word)) {
      if (isStopWord(folded, language)) continue;
      const term = cutTerm(folded);
      counts.set(term, (counts.get(term) ?? 0) + 1);
      if (!isWhole) length++;
    }
  }
  return { counts, length, isTalk: isTalk(message) };
}
