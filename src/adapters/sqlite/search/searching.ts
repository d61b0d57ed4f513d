/** The searches of one open database, and the filling of its index: all that is done between commits and never before one. */

import type { StorageFailed } from "../../../core/errors.ts";
import type { MessageId } from "../../../core/ids.ts";
import type { SearchQuery } from "../../../core/search/searchQuery.ts";
import type { GroupCommit } from "../groupCommit.ts";
import { storageFailureOf } from "../storageErrors.ts";
import type { SearchRequest } from "../thread/workerProtocol.ts";
import type { ReadMessageJson, SearchIndex } from "./searchIndex.ts";
import { SearchTask } from "./searchTask.ts";

/** How long a slice takes: a commit that comes meanwhile waits no longer. */
const SLICE_MS = 5;

/** What a slice of a search came to. */
export type SearchAnswer =
  | { readonly kind: "rows"; readonly id: number; readonly json: string }
  | { readonly kind: "failed"; readonly ids: readonly number[]; readonly error: StorageFailed };

/** What is filled when there is time. */
export interface FilledIndex {
  readonly index: SearchIndex;
  readonly commits: GroupCommit;
}

/** Searches one after the other. */
export class Searching {
  readonly #read: ReadMessageJson;
  /** Absent where nothing may be written: then every message is looked at. */
  readonly #filled: FilledIndex | undefined;
  #searches: SearchTask[] = [];

  constructor(read: ReadMessageJson, filled?: FilledIndex) {
    this.#read = read;
    this.#filled = filled;
  }

  /** True while a search is under way. */
  get isBusy(): boolean {
    return this.#searches.length > 0;
  }

  /** Begins a search among the first `messageCount` messages; `goOn` does it. */
  begin(request: SearchRequest, messageCount: number): void {
    const source = {
      messageCount,
      read: this.#read,
      indexedCount: this.#filled?.index.indexedCount ?? 0,
      candidates: (query: SearchQuery, end: number) => this.#candidates(query, end),
    };
    this.#searches.push(new SearchTask(request, source));
  }

  /** Goes on with the oldest search, for some milliseconds; answers it when it is done. */
  goOn(): SearchAnswer | undefined {
    const [search] = this.#searches;
    if (search === undefined) return undefined;
    try {
      const json = search.goOn(performance.now() + SLICE_MS);
      if (json === undefined) return undefined;
      this.#searches.shift();
      return { kind: "rows", id: search.id, json };
    } catch (error) {
      this.#searches.shift();
      return { kind: "failed", ids: [search.id], error: storageFailureOf(error) };
    }
  }

  /** Gives up what is under way; answers the numbers of the requests. */
  end(): readonly number[] {
    const ids = this.#searches.map(({ id }) => id);
    this.#searches = [];
    return ids;
  }

  /**
   * Adds some of the first `countMessages()` messages to the index, for some milliseconds; answers whether there is more to
   * do. After a failure there is not: a commit that fails for the same reason tells it.
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

  #candidates(query: SearchQuery, end: number): readonly MessageId[] | undefined {
    try {
      return this.#filled?.index.candidates(query, end);
    } catch (error) {
      if (storageFailureOf(error).reason !== "damaged") throw error;
      this.#filled?.index.giveUp();
      return undefined;
    }
  }
}
