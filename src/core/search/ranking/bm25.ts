/**
 * BM25 (Robertson and Zaragoza 2009): a term counts by how rare it is among all texts, with diminishing returns within
 * one, and less in a long text. Terms that follow each other as in the query count as a rarer term.
 */

import type { RankedQuery } from "./rankedQuery.ts";
import type { TermCounts } from "./termCounts.ts";

/** Counts over all texts, as an index tells them. */
export interface IndexStatistics {
  readonly textCount: number;
  /** Mean number of terms in a text. */
  readonly averageLength: number;
  /** Number of texts that have each term of the query. */
  readonly textsWith: readonly number[];
}

const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Weight of a pair, by that of its rarer term. */
const PAIR_WEIGHT = 0.3;

/** 0 for a text without any term of the query. */
export function bm25({ pairs }: Pick<RankedQuery, "pairs">, found: TermCounts, statistics: IndexStatistics): number {
  const relativeLength = found.length / Math.max(1, statistics.averageLength);
  const saturated = (count: number): number => saturation(count, relativeLength);
  const rarity = rarityOf(statistics);
  const ofTerms = found.counts.reduce((sum, count, term) => sum + (rarity[term] ?? 0) * saturated(count), 0);
  const ofPairs = found.pairs.reduce((sum, count, pair) => {
    const [one, other] = pairs[pair] ?? [0, 0];
    return sum + Math.max(rarity[one] ?? 0, rarity[other] ?? 0) * saturated(count);
  }, 0);
  return ofTerms + PAIR_WEIGHT * ofPairs;
}

/** Weight of a term that occurs `count` times in a text, whose length is a multiple of the mean. */
export function saturation(count: number, relativeLength: number): number {
  const norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relativeLength);
  return (count * (SATURATION + 1)) / (count + norm);
}

/** The weight of each term of a query. */
export function rarityOf({ textCount, textsWith }: IndexStatistics): readonly number[] {
  return textsWith.map((texts) => Math.log(1 + (Math.max(0, textCount - texts) + 0.5) / (texts + 0.5)));
}
