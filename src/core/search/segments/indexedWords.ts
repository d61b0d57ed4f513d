/** The words of a message by which it is found: not stemmed, so that the index outlives the stemmers. */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { Message } from "../../message.ts";
import { isStopWord, LANGUAGE_WORDS, languageOf } from "../ranking/stopWords.ts";
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

/** Pauses every thousand words. Holds few words at a time: all those of a message of 8 MB would take more than 256 MB. */
export function* indexedWords(message: Message): CooperativeTask<IndexedWords> {
  const words = searchWords(searchText(message));
  const first: SearchWord[] = [];
  for (let next = words.next(); next.done !== true; next = words.next())
    if (first.push(next.value) === LANGUAGE_WORDS) break;
  const language = languageOf(first);
  const counts = new Map<string, number>();
  let length = 0;
  const add = (folded: string, isWhole: boolean): void => {
    if (isStopWord(folded, language)) return;
    const term = cutTerm(folded);
    counts.set(term, (counts.get(term) ?? 0) + 1);
    if (!isWhole) length++;
  };
  let read = 0;
  for (const some of [first, words]) {
    for (const word of some) {
      if (++read % WORDS_AT_ONCE === 0) yield;
      // Most words are no identifiers: no generator for each.
      if (!word.isRun && word.beginnings.length < 2) add(word.folded, false);
      else for (const { folded, isWhole } of partsOf(word)) add(folded, isWhole);
    }
  }
  return { counts, length, isTalk: isTalk(message) };
}
