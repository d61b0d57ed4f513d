/** The searches of one open database, and the filling of its index: all that is done between commits and never before one. */

import type { StorageFailed } from "../../../core/errors.ts";
import type { MessageId } from "../../../core/ids.ts";
import type { SearchQuery } from "../../../core/search/searchQuery.ts";
import type { Engine } from "../engine.ts";
import type { GroupCommit } from "../groupCommit.ts";
import { storageFailureOf } from "../storageErrors.ts";
import type { SearchRequest } from "../workerProtocol.ts";
import { SearchIndex, type ReadMessageJson } from "./searchIndex.ts";
import { SearchTask } from "./searchTask.ts";

/** How long a slice takes: a commit that comes meanwhile waits no longer. */
const SLICE_MS = 5;

/** What a slice of a search came to. */
export type SearchAnswer =
  | { readonly kind: "rows"; readonly id: number; readonly json: string }
  | { readonly kind: "failed"; readonly ids: readonly number[]; readonly error: StorageFailed };

/** What this works on. */
export interface SearchedDatabase {
  readonly engine: Engine;
  readonly commits: GroupCommit;
  readonly read: ReadMessageJson;
}

/** Searches one after the other. */
export class Searching {
  readonly #commits: GroupCommit;
  readonly #read: ReadMessageJson;
  readonly #index: SearchIndex;
  #searches: SearchTask[] = [];

  constructor({ engine, commits, read }: SearchedDatabase) {
    this.#commits = commits;
    this.#read = read;
    this.#index = new SearchIndex(engine, read);
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
      indexedCount: this.#index.indexedCount,
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
    if (!this.#index.isTrusted) return false;
    let isFull = false;
    try {
      const count = countMessages();
      if (this.#index.indexedCount >= count) return false;
      this.#commits.run(() => {
        isFull = this.#index.fill(count, performance.now() + SLICE_MS);
      });
      return !isFull;
    } catch (error) {
      this.#undo(storageFailureOf(error));
      return false;
    }
  }

  #undo({ reason }: StorageFailed): void {
    if (reason === "damaged") this.#index.giveUp();
    else this.#index.undo();
  }

  #candidates(query: SearchQuery, end: number): readonly MessageId[] | undefined {
    try {
      return this.#index.candidates(query, end);
    } catch (error) {
      const failure = storageFailureOf(error);
      if (failure.reason !== "damaged") throw error;
      this.#index.giveUp();
      return undefined;
    }
  }
}
