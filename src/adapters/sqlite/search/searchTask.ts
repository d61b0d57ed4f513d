/**
 * One search, run in slices so that commits are not delayed. It covers the messages that existed when it began: first
 * those that are not indexed yet, newest first, then the candidates from the index.
 */

import { messageId, type MessageId } from "../../../core/ids.ts";
import { BestHits } from "../../../core/search/bestHits.ts";
import { parseQuery, type SearchQuery } from "../../../core/search/searchQuery.ts";
import { parseMessages } from "../rowCodec.ts";
import type { SearchRequest } from "../thread/workerProtocol.ts";
import type { ReadMessageJson } from "./searchIndex.ts";

export interface SearchSource {
  readonly messageCount: number;
  readonly read: ReadMessageJson;
  /** Messages with a lower id are in the index. */
  readonly indexedCount: number;
  /** Messages before `end` that may match; `undefined` if the index cannot tell and all must be scanned. */
  readonly candidates: (query: SearchQuery, end: number) => readonly MessageId[] | undefined;
}

export class SearchTask {
  /** The request's id. */
  readonly id: number;
  readonly #read: ReadMessageJson;
  readonly #hits: BestHits | undefined;
  readonly #messages: Iterator<MessageId, void> | undefined;

  constructor({ id, query, limit, before }: SearchRequest, source: SearchSource) {
    this.id = id;
    this.#read = source.read;
    const parsed = parseQuery(query);
    if (parsed === undefined) return;
    this.#hits = new BestHits(parsed, limit);
    this.#messages = messagesFor(parsed, Math.min(before ?? Infinity, source.messageCount), source);
  }

  /** Searches until `deadlineMs` on `performance.now()`; returns the JSON hits once done. Throws on a read error. */
  runSlice(deadlineMs: number): string | undefined {
    for (let next = this.#messages?.next(); next !== undefined && next.done !== true; next = this.#messages?.next()) {
      for (const { message } of parseMessages(`[${this.#read(next.value)}]`)) this.#hits?.add(next.value, message);
      if (performance.now() > deadlineMs) return undefined;
    }
    return JSON.stringify(this.#hits?.list ?? []);
  }
}

function* messagesFor(
  query: SearchQuery,
  end: number,
  { indexedCount, candidates }: SearchSource,
): Generator<MessageId, void> {
  const scanned = Math.min(end, indexedCount);
  yield* downFrom(end, scanned);
  const named = scanned === 0 || query.phrases.length === 0 ? undefined : candidates(query, scanned);
  yield* named ?? downFrom(scanned, 0);
}

function* downFrom(end: number, start: number): Generator<MessageId, void> {
  for (let id = end - 1; id >= start; id--) yield messageId(id);
}
