/**
 * The part of a found text that has the query as it was typed, or most of it, its pairs counted; and the words by which
 * it was found.
 */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import { searchExcerpt } from "../searchExcerpt.ts";
import type { IndexStatistics } from "./bm25.ts";
import { rarityOf } from "./bm25.ts";
import type { RankedQuery } from "./rankedQuery.ts";
import type { StemCache } from "./terms.ts";
import { countTerms, type TermPlace } from "./termCounts.ts";

export interface RankedExcerpt {
  readonly excerpt: string;
  /** Verbatim, distinct; none of a message that was found by its neighbour. */
  readonly words: readonly string[];
}

export interface BestPassage {
  readonly start: number;
  /** Indexes of the terms that it has, and of the pairs after them. */
  readonly features: ReadonlySet<number>;
}

/** A text that matches everywhere has few distinct words. */
const MOST_WORDS = 40;
const WHOLE_WORD = /^[\p{L}\p{N}\p{M}_]+/u;
const LONGEST_WORD = 200;

export function* rankedExcerpt(
  { query, stems, statistics }: { query: RankedQuery; stems: StemCache; statistics: IndexStatistics },
  text: string,
  lengthUnits: number,
): CooperativeTask<RankedExcerpt & { readonly passage: BestPassage }> {
  const { places, exactStart } = yield* countTerms(query, text, stems);
  const words = new Set<string>();
  for (const { start } of places) {
    if (words.size >= MOST_WORDS) break;
    const word = WHOLE_WORD.exec(text.slice(start, start + LONGEST_WORD))?.[0];
    if (word !== undefined) words.add(word);
  }
  const start =
    query.asTyped?.exec(text)?.index ?? exactStart ?? bestPlace(places, weightsOf(query, statistics), lengthUnits);
  const within = places.filter((place) => place.start >= start && place.start < start + lengthUnits);
  const features = new Set(within.map(({ term }) => term));
  return { excerpt: searchExcerpt(text, { start }, lengthUnits), words: [...words], passage: { start, features } };
}

/** Of the terms, and of the pairs. */
function weightsOf({ pairs }: RankedQuery, statistics: IndexStatistics): readonly number[] {
  const rarity = rarityOf(statistics);
  return [...rarity, ...pairs.map(([one, other]) => Math.max(rarity[one] ?? 0, rarity[other] ?? 0))];
}

/** Start of the range of `lengthUnits` whose distinct terms weigh most; the first of equals. */
function bestPlace(places: readonly TermPlace[], weights: readonly number[], lengthUnits: number): number {
  const counts = weights.map(() => 0);
  let [weight, most, best] = [0, 0, 0];
  let last = 0;
  for (const { term, start } of places) {
    for (let next = places[last]; next !== undefined && next.start < start + lengthUnits; next = places[++last]) {
      counts[next.term] = (counts[next.term] ?? 0) + 1;
      if (counts[next.term] === 1) weight += weights[next.term] ?? 0;
    }
    if (weight > most + 1e-9) [most, best] = [weight, start];
    counts[term] = (counts[term] ?? 0) - 1;
    if (counts[term] === 0) weight -= weights[term] ?? 0;
  }
  return best;
}
