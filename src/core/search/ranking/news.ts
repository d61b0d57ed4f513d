/** Tells of a found text how much of a question it has that its reader does not: neither in a message nor in a line. */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { MessageId } from "../../ids.ts";
import { rarityOf, type IndexStatistics } from "./bm25.ts";
import type { RankedQuery } from "./rankedQuery.ts";
import type { BestPassage } from "./rankedExcerpt.ts";
import { countTerms } from "./termCounts.ts";
import type { StemCache } from "./terms.ts";

/** Texts that the reader has. */
export interface KnownTexts {
  readonly ids: readonly MessageId[];
  /** Other texts, such as summaries; each line counts by itself. */
  readonly texts: readonly string[];
}

/** Words of the question that no text has do not count, others by how rare they are. */
export interface News {
  /** The words that the text has, of all. */
  readonly share: number;
  /** Of the words that the text has, those that one known message or line has; of all of these the most. */
  readonly knownShare: number;
  /**
   * By how much the combination of its words is rarer than one text among all, as natural logarithm: 0 where one text
   * would have them by chance, 1 where 0.37 texts would.
   */
  readonly specificity: number;
  /** Place of its best passage, in the text that is searched. */
  readonly start: number;
}

/** In a short conversation a word seems rarer than it is. */
const LEAST_TEXTS = 400;

export class NewsFinder {
  /** Of the terms, and of the pairs. */
  readonly #weights: readonly number[];
  readonly #allWeight: number;
  readonly #textCount: number;
  readonly #known: readonly ReadonlySet<number>[];

  /** `textsWithPair`: number of texts that have each pair of the query. */
  constructor(
    query: RankedQuery,
    statistics: IndexStatistics & { readonly textsWithPair: readonly number[] },
    known: readonly ReadonlySet<number>[],
  ) {
    this.#weights = weightsOf(query, statistics);
    this.#allWeight = this.#weights.reduce((sum, weight) => sum + weight, 0);
    this.#textCount = Math.max(statistics.textCount, LEAST_TEXTS);
    this.#known = known;
  }

  newsIn({ features, start }: BestPassage): News {
    const weight = this.#weightOf(features);
    const known = this.#known.map((others) => this.#weightOf(features, others));
    return {
      share: weight / Math.max(this.#allWeight, Number.MIN_VALUE),
      knownShare: known.reduce((most, each) => Math.max(most, each), 0) / Math.max(weight, Number.MIN_VALUE),
      specificity: weight - Math.log(this.#textCount),
      start,
    };
  }

  /** Of `features`, those that are in `others` too. */
  #weightOf(features: ReadonlySet<number>, others: ReadonlySet<number> = features): number {
    let sum = 0;
    for (const feature of features) if (others.has(feature)) sum += this.#weights[feature] ?? 0;
    return sum;
  }
}

/** A pair weighs what it is rarer than both of its terms would be together by chance. */
function weightsOf(
  { terms, pairs }: RankedQuery,
  statistics: IndexStatistics & { readonly textsWithPair: readonly number[] },
): readonly number[] {
  const { textsWith, textsWithPair } = statistics;
  const ofTerms = rarityOf(statistics).map((weight, term) => {
    if (textsWith[term] === 0) return 0;
    return terms[term]?.isPair === true ? weight / 2 : weight;
  });
  const ofPairs = rarityOf({ ...statistics, textsWith: textsWithPair }).map((weight, pair) => {
    const [one, other] = pairs[pair] ?? [0, 0];
    if (textsWithPair[pair] === 0 || terms[one]?.isPair === true) return 0;
    return Math.max(0, weight - (ofTerms[one] ?? 0) - (ofTerms[other] ?? 0));
  });
  return [...ofTerms, ...ofPairs];
}

/** Terms of the query in each line, item or sentence of known texts. Pauses after each. */
export function* featuresOfLines(
  texts: readonly string[],
  query: RankedQuery,
  stems: StemCache,
): CooperativeTask<readonly ReadonlySet<number>[]> {
  const found: ReadonlySet<number>[] = [];
  for (const line of texts.flatMap((text) => text.split(LINE_ENDS))) {
    const { places } = yield* countTerms(query, line, stems);
    if (places.length > 0) found.push(new Set(places.map(({ term }) => term)));
    yield;
  }
  return found;
}

/** A ledger of facts has many in a line. */
const LINE_ENDS = /\n| · |(?<=[.!?])\s+/u;
