/** Places and counts of the terms of a query in a text: all that the ranking knows of it. */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import { phrasePlaces } from "../phrasePlaces.ts";
import { searchWords, type SearchWord } from "../searchWords.ts";
import type { RankedQuery } from "./rankedQuery.ts";
import type { StemLanguage } from "./stemmer.ts";
import { isStopWord, languageOf } from "./stopWords.ts";
import { partsOf, type StemCache } from "./terms.ts";

export interface TermCounts {
  /** Number of terms in the text, repeated ones included. */
  readonly length: number;
  /** Occurrences of each term of the query. */
  readonly counts: readonly number[];
  /** Occurrences of each pair of the query. */
  readonly pairs: readonly number[];
  /** Number of the query's exact phrases that the text has; one more if it has the whole query with its own marks. */
  readonly exact: number;
}

/** A word of a text with a term of the query, or the second one of a pair. */
export interface TermPlace {
  /** Index of the term; those of the pairs follow. */
  readonly term: number;
  /** Offset in the text. */
  readonly start: number;
}

export interface TermPlaces {
  readonly places: readonly TermPlace[];
  /** Offset of the longest exact phrase that the text has. */
  readonly exactStart: number | undefined;
}

/** Words between two pauses: about a millisecond of work. */
const WORDS_AT_ONCE = 1_000;
/** Places of terms noted for an excerpt. */
const MOST_PLACES = 2_000;

/** Pauses every thousand words. */
export function* countTerms(
  query: RankedQuery,
  text: string,
  stems: StemCache,
): CooperativeTask<TermCounts & TermPlaces> {
  const words: SearchWord[] = [];
  for (const word of searchWords(text)) if (words.push(word) % WORDS_AT_ONCE === 0) yield;
  const language = languageOf(words);
  const { terms, englishTerms, pairs, joined, begun } = lookups(query, stems, language);
  const isGerman = language === "german";
  const [counts, pairCounts] = [query.terms.map(() => 0), query.pairs.map(() => 0)];
  const places: TermPlace[] = [];
  const note = (pair: number | undefined, start: number): void => {
    addOne(pairCounts, pair);
    if (pair !== undefined && places.length < MOST_PLACES) places.push({ term: query.terms.length + pair, start });
  };
  let length = 0;
  let before: number | undefined;
  for (const [at, word] of words.entries()) {
    if (at % WORDS_AT_ONCE === 0) yield;
    for (const { folded, isWhole } of partsOf(word)) {
      const stem = stems.stem(folded, language);
      const term =
        terms.get(stem) ?? (isGerman ? englishTerms.get(stems.stem(folded, "english")) : undefined) ?? begun(folded);
      if (term === undefined && isStopWord(folded, language)) continue;
      note(joined.get(stem), word.start);
      if (term !== undefined) {
        addOne(counts, term);
        if (places.length < MOST_PLACES) places.push({ term, start: word.start });
      }
      if (isWhole) continue;
      length++;
      if (before !== undefined && term !== undefined) note(pairs.get(before * query.terms.length + term), word.start);
      before = term;
    }
  }
  return { length, counts, pairs: pairCounts, ...exactMatches(query, text, words), places };
}

function exactMatches(
  { exact, asTyped }: RankedQuery,
  text: string,
  words: readonly SearchWord[],
): Pick<TermCounts & TermPlaces, "exact" | "exactStart"> {
  const starts = exact.map((phrase) => phrasePlaces(words, phrase).next().value?.start);
  // Written "queue sync", and not queue-sync, which listings are full of.
  const isAsTyped = starts.at(-1) !== undefined && asTyped?.test(text) === true;
  let [exactStart, length]: [number | undefined, number] = [undefined, 0];
  for (const [index, start] of starts.entries()) {
    const words = exact[index]?.words.length ?? 0;
    if (start !== undefined && words > length) [exactStart, length] = [start, words];
  }
  return { exact: starts.filter((start) => start !== undefined).length + Number(isAsTyped), exactStart };
}

function addOne(counts: number[], index: number | undefined): void {
  if (index !== undefined) counts[index] = (counts[index] ?? 0) + 1;
}

interface Lookups {
  /** Index of a term by its stem in the language of the text. */
  readonly terms: ReadonlyMap<string, number>;
  /** The same by its English stem: talk of software has English words in any language. */
  readonly englishTerms: ReadonlyMap<string, number>;
  /** Index of a pair by those of its terms. */
  readonly pairs: ReadonlyMap<number, number>;
  /** Index of the term with which a word begins, among those that may be beginnings. */
  readonly begun: (folded: string) => number | undefined;
  /** Index of a pair by the stem of both in one word: "file name" in `filename`. */
  readonly joined: ReadonlyMap<string, number>;
}

function lookups(query: RankedQuery, stems: StemCache, language: StemLanguage): Lookups {
  const folded = (term: number): string => query.terms[term]?.folded ?? "";
  const termsIn = (of: StemLanguage): ReadonlyMap<string, number> =>
    new Map(query.terms.map((term, index) => [term.stems[of], index]));
  const open = [...query.terms.entries()].filter(([, { isOpen }]) => isOpen === true);
  return {
    begun: (word) => open.find(([, term]) => word.startsWith(term.folded))?.[0],
    terms: termsIn(language),
    englishTerms: termsIn("english"),
    pairs: new Map(query.pairs.map(([one, other], pair) => [one * query.terms.length + other, pair])),
    joined: new Map(query.pairs.map(([one, other], pair) => [stems.stem(folded(one) + folded(other), language), pair])),
  };
}
