/** Searches of one open database and the filling of its index: low-priority work that runs between commits. */

import type { StorageFailed } from "../../../core/errors.ts";
import { parseRankedQuery } from "../../../core/search/ranking/rankedQuery.ts";
import { UNSTEMMED, type Stemmer } from "../../../core/search/ranking/stemmer.ts";
import { StemCache } from "../../../core/search/ranking/terms.ts";
import type { SearchQuery } from "../../../core/search/searchQuery.ts";
import type { GroupCommit } from "../groupCommit.ts";
import { storageFailureOf } from "../storageErrors.ts";
import type { SearchRequest } from "../thread/workerProtocol.ts";
import type { ReadMessageJson, SearchIndex } from "./searchIndex.ts";
import { RankedSearchTask } from "./rankedSearchTask.ts";
import { SearchTask } from "./searchTask.ts";

/** Duration of a slice, and therefore the longest delay of a commit. */
const SLICE_MS = 5;

export type SearchAnswer =
  | { readonly kind: "rows"; readonly id: number; readonly json: string }
  | { readonly kind: "failed"; readonly ids: readonly number[]; readonly error: StorageFailed };

export interface FilledIndex {
  readonly index: SearchIndex;
  readonly commits: GroupCommit;
}

/** Runs searches one at a time. */
export class SearchScheduler {
  readonly #read: ReadMessageJson;
  /** Absent for a read-only database: every message is scanned. */
  readonly #filled: FilledIndex | undefined;
  readonly #stems: StemCache;
  #searches: (SearchTask | RankedSearchTask)[] = [];

  constructor(read: ReadMessageJson, filled?: FilledIndex, stemmer: Stemmer = UNSTEMMED) {
    this.#read = read;
    this.#filled = filled;
    this.#stems = new StemCache(stemmer);
  }

  get isBusy(): boolean {
    return this.#searches.length > 0;
  }

  /** Queues a search of the first `messageCount` messages; `runSlice` runs it. */
  begin(request: SearchRequest, messageCount: number): void {
    const source = { messageCount, read: this.#read, indexedCount: this.#filled?.index.indexedCount ?? 0 };
    const ranked = request.isRanked === true ? parseRankedQuery(request.query, this.#stems) : undefined;
    const task =
      ranked === undefined
        ? new SearchTask(request, {
            ...source,
            candidates: (query: SearchQuery, end: number) =>
              this.#unlessDamaged((index) => index.candidates(query, end)),
          })
        : new RankedSearchTask(
            request,
            ranked,
            { ...source, named: (...words) => this.#unlessDamaged((index) => index.named(...words)) },
            this.#stems,
          );
    this.#searches.push(task);
  }

  /** Runs one time slice of the oldest search; returns its answer once it has finished. */
  runSlice(): SearchAnswer | undefined {
    const [search] = this.#searches;
    if (search === undefined) return undefined;
    try {
      const json = search.runSlice(performance.now() + SLICE_MS);
      if (json === undefined) return undefined;
      this.#searches.shift();
      return { kind: "rows", id: search.id, json };
    } catch (error) {
      this.#searches.shift();
      return { kind: "failed", ids: [search.id], error: storageFailureOf(error) };
    }
  }

  /** Cancels all searches; returns the ids of their requests. */
  end(): readonly number[] {
    const ids = this.#searches.map(({ id }) => id);
    this.#searches = [];
    return ids;
  }

  /**
   * Indexes messages for one time slice; returns whether more remain. Returns false after a failure, which is not
   * reported here: the next commit fails for the same reason.
   */
  fill(countMessages: () => number): boolean {
    if (this.#filled?.index.isTrusted !== true) return false;
    const { index, commits } = this.#filled;
    let isFull = false;
    try {
      const count = countMessages();
      if (index.indexedCount >= count) return false;
      commits.run(() => {
        isFull = index.fill(count, performance.now() + SLICE_MS);
      });
      return !isFull;
    } catch (error) {
      if (storageFailureOf(error).reason === "damaged") index.giveUp();
      else index.undo();
      return false;
    }
  }

  #unlessDamaged<T>(read: (index: SearchIndex) => T): T | undefined {
    if (this.#filled?.index.isTrusted !== true) return undefined;
    try {
      return read(this.#filled.index);
    } catch (error) {
      if (storageFailureOf(error).reason !== "damaged") throw error;
      this.#filled.index.giveUp();
      return undefined;
    }
  }
}
