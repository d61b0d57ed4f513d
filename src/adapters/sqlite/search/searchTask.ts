/**
 * One search, done in slices so that commits come in between. It looks at the messages that were there when it began, the
 * newest first.
 */

import { messageId, type MessageId } from "../../../core/ids.ts";
import { BestHits } from "../../../core/search/bestHits.ts";
import { parseQuery } from "../../../core/search/searchQuery.ts";
import type { SearchRequest } from "../workerProtocol.ts";
import { parseMessages } from "../rowCodec.ts";

/** Reads a message as JSON; throws when it can not be read. */
export type ReadMessageJson = (id: MessageId) => string;

/** A search under way. */
export class SearchTask {
  /** The number of the request. */
  readonly id: number;
  readonly #read: ReadMessageJson;
  readonly #hits: BestHits | undefined;
  #next: number;

  constructor({ id, query, limit, before }: SearchRequest, messageCount: number, read: ReadMessageJson) {
    this.id = id;
    this.#read = read;
    const parsed = parseQuery(query);
    this.#hits = parsed && new BestHits(parsed, limit);
    this.#next = parsed === undefined ? 0 : Math.min(messageCount, before ?? Infinity);
  }

  /** Goes on until `deadlineMs` of `performance.now()`; answers what was found once all is done. Throws when it can not. */
  goOn(deadlineMs: number): string | undefined {
    while (this.#next > 0) {
      if (performance.now() > deadlineMs) return undefined;
      const id = messageId(--this.#next);
      for (const { message } of parseMessages(`[${this.#read(id)}]`)) this.#hits?.add(id, message);
    }
    return JSON.stringify(this.#hits?.list ?? []);
  }
}
