/** The real store without its thread, so that a test can run thousands of openings. */

import { openStorageIn } from "../../../src/adapters/sqlite/openStorage.ts";
import { rescueFolder, type RescueReport } from "../../../src/adapters/sqlite/rescue/rescueFolder.ts";
import { parseHits, parseIndexPage, parseMessages, parseRankedHits } from "../../../src/adapters/sqlite/rowCodec.ts";
import { loadSqlJs, type SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import type { ConversationFile } from "../../../src/adapters/sqlite/conversationFile.ts";
import type { FromWorker, ToWorker } from "../../../src/adapters/sqlite/thread/workerProtocol.ts";
import { snowballStemmer } from "../../../src/adapters/stemmers/snowballStemmer.ts";
import type { StorageFailed } from "../../../src/core/errors.ts";
import type { Erasure } from "../../../src/core/history/erasure.ts";
import type { IndexRecord } from "../../../src/core/history/records.ts";
import type { MessageId } from "../../../src/core/ids.ts";
import type {
  ConversationStore,
  RankedSearchOptions,
  SearchOptions,
  StoreSnapshot,
  StoreWrite,
} from "../../../src/core/store/conversationStore.ts";
import type { StoredMessage } from "../../../src/core/message.ts";
import { err, ok, type Result } from "../../../src/core/result.ts";
import type { RankedHit } from "../../../src/core/search/ranking/rankedSearch.ts";
import type { SearchHit } from "../../../src/core/search/bestHits.ts";
import { FaultyCalls } from "./faultyCalls.ts";
import { SQL_JS_FILE } from "./sqliteStore.ts";

/** Opens stores, one after another, whose file calls can be made to fail. */
export class LocalStores {
  readonly faults: FaultyCalls;
  readonly #shim: SqlJsShim;

  constructor(shim: SqlJsShim, faults: FaultyCalls) {
    this.#shim = shim;
    this.faults = faults;
  }

  static async load(faults = new FaultyCalls()): Promise<LocalStores> {
    return new LocalStores(await loadSqlJs(SQL_JS_FILE, faults.calls), faults);
  }

  open(folder: string, leaseFile?: string, unwritable?: StorageFailed): Result<LocalStore, StorageFailed> {
    const lease = leaseFile === undefined ? {} : { leaseFile };
    const opened = openStorageIn(
      { folder, stemmer: snowballStemmer, ...lease, ...(unwritable === undefined ? {} : { unwritable }) },
      this.#shim,
    );
    return opened.ok ? ok(new LocalStore(opened.value)) : opened;
  }

  rescue(folder: string): Result<RescueReport, StorageFailed> {
    return rescueFolder(folder, this.#shim);
  }

  /** Number of open files; 0 if every store is closed. */
  get openFiles(): number {
    return this.#shim.files.openCount;
  }
}

/** Id of a request during which others are answered. */
const ERASING = 1;

/** A synchronous `ConversationStore`. */
export class LocalStore {
  readonly shape: StoreSnapshot;
  readonly #file: ConversationFile;

  constructor(file: ConversationFile) {
    this.#file = file;
    this.shape = file.shape;
  }

  commit(writes: readonly StoreWrite[]): Result<void, StorageFailed> {
    const answer = this.#ask({ kind: "commit", id: 0, writes });
    return answer.ok ? ok(undefined) : answer;
  }

  /** Commits several calls as one group. Returns the outcome of each. */
  commitTogether(calls: readonly (readonly StoreWrite[])[]): readonly ("stored" | StorageFailed["reason"] | "bug")[] {
    calls.forEach((writes, id) => this.#file.enqueue({ kind: "commit", id, writes }));
    const answers = this.#file.flush();
    return calls.map((_, id) => outcomeOf(id, answers));
  }

  readIndex(from: number, limit: number): Result<readonly IndexRecord[], StorageFailed> {
    const answer = this.#ask({ kind: "readIndex", id: 0, from, limit });
    return answer.ok ? ok(parseIndexPage(answer.value)) : answer;
  }

  readMessages(ids: readonly MessageId[]): Result<readonly StoredMessage[], StorageFailed> {
    const answer = this.#ask({ kind: "readMessages", id: 0, ids });
    return answer.ok ? ok(parseMessages(answer.value)) : answer;
  }

  search(query: string, options: SearchOptions): Result<readonly SearchHit[], StorageFailed> {
    const answer = this.#ask({ kind: "search", id: 0, query, ...options });
    return answer.ok ? ok(parseHits(answer.value)) : answer;
  }

  searchRanked(query: string, options: RankedSearchOptions): Result<readonly RankedHit[], StorageFailed> {
    const answer = this.#ask({ kind: "search", id: 0, query, isRanked: true, ...options });
    return answer.ok ? ok(parseRankedHits(answer.value)) : answer;
  }

  erase(erasure: Erasure): Result<void, StorageFailed> {
    const answer = this.#ask({ kind: "erase", id: 0, erasure });
    return answer.ok ? ok(undefined) : answer;
  }

  /** Erases, and calls `between` after each slice. */
  eraseInSlices(erasure: Erasure, between: (slice: number) => void): Result<void, StorageFailed> {
    this.#file.enqueue({ kind: "erase", id: ERASING, erasure });
    let answers = this.#file.flush();
    for (let slice = 0; answers.length === 0; slice++) {
      answers = this.#file.runSlice();
      if (answers.length === 0) between(slice);
    }
    const [answer] = answers;
    return answer?.kind === "failed" ? err(answer.error) : ok(undefined);
  }

  /** Fills the index in at most `slices` slices. Returns the number of slices. */
  fillIndex(slices = Infinity): number {
    let done = 1;
    while (this.#file.runIdleWork() && done < slices) done++;
    return done;
  }

  close(): Result<void, StorageFailed> {
    const answer = this.#ask({ kind: "close", id: 0 });
    return answer.ok ? ok(undefined) : answer;
  }

  #ask(request: ToWorker): Result<string, StorageFailed> {
    this.#file.enqueue(request);
    let [answer] = this.#file.flush();
    while (answer === undefined && this.#file.isBusy) [answer] = this.#file.runSlice();
    if (answer === undefined || answer.kind === "bug") throw new Error(answer?.detail ?? "no answer");
    if (answer.kind === "failed") return err(answer.error);
    return ok(answer.kind === "rows" ? answer.json : "");
  }
}

/** Adapts the store to the asynchronous port. */
export function asynchronous(local: LocalStore): ConversationStore {
  let end = (): void => undefined;
  const gone = new Promise<void>((resolve) => (end = resolve));
  return {
    shape: local.shape,
    commit: (writes) => Promise.resolve(local.commit(writes)),
    readIndex: (from, limit) => Promise.resolve(local.readIndex(from, limit)),
    readMessages: (ids) => Promise.resolve(local.readMessages(ids)),
    search: (query, options) => Promise.resolve(local.search(query, options)),
    searchRanked: (query, options) => Promise.resolve(local.searchRanked(query, options)),
    erase: (erasure) => Promise.resolve(local.erase(erasure)),
    close: () => {
      const closed = local.close();
      end();
      return Promise.resolve(closed);
    },
    closed: gone,
  };
}

function outcomeOf(id: number, answers: readonly FromWorker[]): "stored" | StorageFailed["reason"] | "bug" {
  for (const answer of answers) {
    if (answer.kind === "committed" && answer.ids.includes(id)) return "stored";
    if (answer.kind === "failed" && answer.ids.includes(id)) return answer.error.reason;
    if (answer.kind === "bug" && answer.id === id) return "bug";
  }
  throw new Error(`call ${id} was not answered`);
}
