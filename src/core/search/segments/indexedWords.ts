/** The words of a message by which it is found: not stemmed, so that the index outlives the stemmers. */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { Message } from "../../message.ts";
import { germanBalance, isStopWord, LANGUAGE_WORDS, languageOfBalance } from "../ranking/stopWords.ts";
import { isTalk } from "../ranking/talk.ts";
import { partsOf, type Splittable } from "../ranking/terms.ts";
import { searchText } from "../searchText.ts";
import { cutTerm } from "../searchTerms.ts";
import { WordScanner } from "../searchWords.ts";

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
  const words = new WordScanner(searchText(message));
  /** Those from which the language is read. A word without parts is its text. */
  const first: (string | Splittable)[] = [];
  let balance = 0;
  while (first.length < LANGUAGE_WORDS && words.next()) {
    const { folded, isRun, beginnings } = words;
    balance += germanBalance(folded);
    first.push(beginnings === undefined ? folded : { folded, isRun, beginnings });
  }
  const language = languageOfBalance(balance);
  const counts = new Map<string, number>();
  let length = 0;
  const add = (folded: string, isWhole: boolean): void => {
    if (isStopWord(folded, language)) return;
    const term = cutTerm(folded);
    counts.set(term, (counts.get(term) ?? 0) + 1);
    if (!isWhole) length++;
  };
  const addParts = (word: Splittable): void => {
    for (const { folded, isWhole } of partsOf(word)) add(folded, isWhole);
  };
  for (const word of first)
    if (typeof word === "string") add(word, false);
    else addParts(word);
  for (let read = first.length; words.next(); read++) {
    if (read % WORDS_AT_ONCE === 0) yield;
    const { folded, isRun, beginnings } = words;
    if (beginnings === undefined) add(folded, false);
    else addParts({ folded, isRun, beginnings });
  }
  return { counts, length, isTalk: isTalk(message) };
}
