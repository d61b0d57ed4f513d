/**
 * Ranks the messages of a conversation for a question. Those with its quotes and code as they stand come first, then by
 * BM25, in talk together with the message before or after: an answer seldom repeats the words of its question. The newer
 * one comes first only among equals.
 */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import { messageId, type MessageId } from "../../ids.ts";
import type { Message } from "../../message.ts";
import { searchText } from "../searchText.ts";
import { bm25, type IndexStatistics } from "./bm25.ts";
import type { RankedQuery } from "./rankedQuery.ts";
import { isTalk } from "./talk.ts";
import type { StemCache } from "./terms.ts";
import { countTerms, type TermCounts } from "./termCounts.ts";

/** Share of the score of the better neighbour that a message of a talk gets. */
export const NEIGHBOUR_SHARE = 0.5;

interface RankedMessage extends TermCounts {
  readonly id: MessageId;
  readonly isTalk: boolean;
}

export interface RankedId {
  readonly id: MessageId;
  readonly exact: number;
  readonly score: number;
  /** It has all terms of the query. */
  readonly hasAll: boolean;
}

export class Ranking {
  readonly #query: RankedQuery;
  readonly #stems: StemCache;
  readonly #messages = new Map<MessageId, RankedMessage>();

  constructor(query: RankedQuery, stems: StemCache) {
    this.#query = query;
    this.#stems = stems;
  }

  has(id: MessageId): boolean {
    return this.#messages.has(id);
  }

  /** Number of added messages that have each term of the query. */
  get textsWith(): readonly number[] {
    return this.#textsWith(this.#query.terms.length, ({ counts }) => counts);
  }

  /** The same of its pairs. */
  get textsWithPair(): readonly number[] {
    return this.#textsWith(this.#query.pairs.length, ({ pairs }) => pairs);
  }

  /** Pauses every thousand words. */
  *add(id: MessageId, message: Message): CooperativeTask<void> {
    const { length, counts, pairs, exact } = yield* countTerms(this.#query, searchText(message), this.#stems);
    this.#messages.set(id, { id, length, counts, pairs, exact, isTalk: isTalk(message) });
  }

  /** Messages next to the `limit` best ones so far, which may be better than those when they are added. */
  neighbours(limit: number, statistics: IndexStatistics, end: number): readonly MessageId[] {
    return this.best(limit, statistics)
      .filter(({ id }) => this.#messages.get(id)?.isTalk)
      .flatMap(({ id }) => [id - 1, id + 1].filter((next) => next >= 0 && next < end).map(messageId))
      .filter((id) => !this.has(id));
  }

  /** At most `limit`, best first; with `needsAll` only those with all terms, and none of `known`. */
  best(
    limit: number,
    statistics: IndexStatistics,
    { needsAll = false, known }: { readonly needsAll?: boolean; readonly known?: ReadonlySet<MessageId> } = {},
  ): readonly RankedId[] {
    const scores = new Map([...this.#messages].map(([id, found]) => [id, bm25(this.#query, found, statistics)]));
    const talkScore = (id: number): number => {
      const neighbour = messageId(Math.max(0, id));
      return this.#messages.get(neighbour)?.isTalk === true && neighbour === id ? (scores.get(neighbour) ?? 0) : 0;
    };
    return [...this.#messages.values()]
      .map(({ id, isTalk: isOfTalk, exact, counts }) => {
        const lift = isOfTalk ? NEIGHBOUR_SHARE * Math.max(talkScore(id - 1), talkScore(id + 1)) : 0;
        return { id, exact, score: (scores.get(id) ?? 0) + lift, hasAll: counts.every((count) => count > 0) };
      })
      .filter(({ id, score, hasAll }) => score > 0 && (hasAll || !needsAll) && known?.has(id) !== true)
      .sort((one, other) => other.exact - one.exact || other.score - one.score || other.id - one.id)
      .slice(0, limit);
  }

  #textsWith(length: number, countsOf: (found: TermCounts) => readonly number[]): readonly number[] {
    const texts = Array.from({ length }, () => 0);
    for (const message of this.#messages.values()) {
      for (const [index, count] of countsOf(message).entries()) if (count > 0) texts[index] = (texts[index] ?? 0) + 1;
    }
    return texts;
  }
}
