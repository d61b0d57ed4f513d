/**
 * Index terms of a text: one for each place at which a match may begin. An index of them finds every message that
 * matches, and a few false positives, which `matchQuery` rejects.
 *
 * A term consists of a-z, 0-9 and characters beyond ASCII, so that an index has nothing to interpret in it.
 */

import type { SearchQuery } from "./searchQuery.ts";
import { searchWords } from "./searchWords.ts";

/** In UTF-16 units; longer words are indexed by their prefix. */
export const LONGEST_TERM = 48;

/** Distinct, in order of first occurrence. */
export function* searchTerms(text: string): Generator<string, void> {
  const seen = new Set<string>();
  for (const { folded, isRun, beginnings } of searchWords(text)) {
    for (const term of isRun ? pairsOf(folded) : beginnings.map(({ at }) => cutTerm(folded.slice(at)))) {
      if (seen.has(term)) continue;
      seen.add(term);
      yield term;
    }
  }
}

/** A term of every message that matches; with `isPrefix`, a prefix of one. */
export interface RequiredTerm {
  readonly term: string;
  readonly isPrefix: boolean;
}

/** Empty when the query has no words: every message may match. */
export function requiredTerms({ phrases }: SearchQuery): readonly RequiredTerm[] {
  return phrases.flatMap(({ words, isOpen }) =>
    words.flatMap(({ folded, isRun }, index): readonly RequiredTerm[] => {
      if (isRun) return pairsOf(folded, false).map((term) => ({ term, isPrefix: true }));
      const isPrefix = folded.length > LONGEST_TERM || (isOpen && index === words.length - 1);
      return [{ term: cutTerm(folded), isPrefix }];
    }),
  );
}

/** Each character with the next one; the last one alone too, unless it only ends a pair that is wanted. */
function pairsOf(run: string, withLast = true): readonly string[] {
  const characters = Array.from(run);
  const pairs = characters.map((character, index) => character + (characters[index + 1] ?? ""));
  return withLast || pairs.length === 1 ? pairs : pairs.slice(0, -1);
}

export function cutTerm(word: string): string {
  if (word.length <= LONGEST_TERM) return word;
  // Half of a surrogate pair cannot be stored.
  const isSplit = /[\ud800-\udbff]/.test(word.charAt(LONGEST_TERM - 1));
  return word.slice(0, isSplit ? LONGEST_TERM - 1 : LONGEST_TERM);
}
