/** A ranked search, run in slices so that commits are not delayed. It covers the messages that existed when it began. */

import type { CooperativeTask } from "../../../core/cooperativeTask.ts";
import type { MessageId } from "../../../core/ids.ts";
import type { Message } from "../../../core/message.ts";
import type { RankedQuery } from "../../../core/search/ranking/rankedQuery.ts";
import { rankedSearch, type RankedHit, type RankedSource } from "../../../core/search/ranking/rankedSearch.ts";
import type { StemCache } from "../../../core/search/ranking/terms.ts";
import { parseMessages } from "../rowCodec.ts";
import type { SearchRequest } from "../thread/workerProtocol.ts";
import type { ReadMessageJson } from "./searchIndex.ts";

export class RankedSearchTask {
  /** The request's id. */
  readonly id: number;
  readonly #steps: CooperativeTask<readonly RankedHit[]>;

  constructor(
    { id, limit, before, needsAll, excerptLength, known }: SearchRequest,
    query: RankedQuery,
    {
      read,
      messageCount,
      ...index
    }: Omit<RankedSource, "read" | "end"> & {
      readonly read: ReadMessageJson;
      readonly messageCount: number;
    },
    stems: StemCache,
  ) {
    this.id = id;
    const readMessage = (message: MessageId): Message | undefined => parseMessages(`[${read(message)}]`)[0]?.message;
    const end = Math.min(before ?? Infinity, messageCount);
    this.#steps = rankedSearch(
      { query, limit, needsAll, excerptLength, known },
      { ...index, end, read: readMessage },
      stems,
    );
  }

  /** Searches until `deadlineMs` on `performance.now()`; returns the JSON hits once done. Throws on a read error. */
  runSlice(deadlineMs: number): string | undefined {
    do {
      const step = this.#steps.next();
      if (step.done === true) return JSON.stringify(step.value);
    } while (performance.now() < deadlineMs);
    return undefined;
  }
}
