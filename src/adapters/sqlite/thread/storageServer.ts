/**
 * Serves one open database: commits writes in groups, answers reads, closes the file.
 * Independent of threads: `enqueue` takes requests, `flush` answers them.
 */

import type { StorageFailed } from "../../../core/errors.ts";
import type { MessageId } from "../../../core/ids.ts";
import type { StoreSnapshot } from "../../../core/store/conversationStore.ts";
import type { Engine } from "../engine/engine.ts";
import { GroupCommit } from "../groupCommit.ts";
import type { Ownership } from "../ownership.ts";
import type { Stemmer } from "../../../core/search/ranking/stemmer.ts";
import { SearchIndex } from "../search/searchIndex.ts";
import { SearchScheduler } from "../search/searchScheduler.ts";
import { schemaVersion, TABLES_VERSION } from "../schema.ts";
import { Refused, storageFailureOf } from "../storageErrors.ts";
import { StoredRows } from "../storedRows.ts";
import type { CommitRequest, EraseRequest, ForkRequest, FromWorker, ReadRequest, ToWorker } from "./workerProtocol.ts";

export type ServerRequest = Exclude<ToWorker, EraseRequest | ForkRequest>;

export interface ServerOptions {
  readonly stemmer?: Stemmer | undefined;
  readonly refusal?: StorageFailed;
}

/** With a `refusal` the database is read-only, and every commit fails with it. */
export class StorageServer {
  readonly shape: StoreSnapshot;
  readonly #engine: Engine;
  readonly #ownership: Ownership;
  readonly #rows: StoredRows;
  readonly #commits: GroupCommit | NoCommits;
  readonly #searching: SearchScheduler;
  /** Set for a file of a newer Forge, and for one that cannot be written. */
  readonly #refusal: StorageFailed | undefined;
  #queue: ServerRequest[] = [];

  constructor(engine: Engine, ownership: Ownership, { stemmer, refusal }: ServerOptions = {}) {
    this.#engine = engine;
    this.#ownership = ownership;
    this.#refusal = refusal;
    const rows = new StoredRows(engine);
    this.#rows = rows;
    const read = (id: MessageId): string => rows.messageJson(id);
    const counts = { messageCount: rows.messageCount, recordCount: rows.recordCount, draft: rows.draft };
    if (refusal === undefined) {
      const commits = new GroupCommit(engine, ownership);
      this.#commits = commits;
      this.#searching = new SearchScheduler(read, { index: new SearchIndex(engine, read), commits }, stemmer);
      this.shape = { ...counts, journal: rows.journal };
    } else {
      this.#commits = new NoCommits(refusal);
      this.#searching = new SearchScheduler(read, undefined, stemmer);
      this.shape = { ...counts, journal: [], readOnly: refusal.reason }; // a crash cannot be recovered from read-only
    }
  }

  /** Queues a request; `flush` processes it. */
  enqueue(request: ServerRequest): void {
    this.#queue.push(request);
  }

  /** Processes the queue in order; consecutive commits form one group. */
  flush(): readonly FromWorker[] {
    const requests = this.#queue;
    this.#queue = [];
    const answers: FromWorker[] = [];
    let group: CommitRequest[] = [];
    const commit = (): void => {
      if (group.length > 0) answers.push(...this.#commits.store(group));
      group = [];
    };
    for (const request of requests) {
      if (request.kind === "commit") {
        group.push(request);
        continue;
      }
      commit();
      answers.push(...this.#answer(request));
    }
    commit();
    return answers;
  }

  /** Unreadable data in a file of a newer Forge is not damage. */
  get #isNewer(): boolean {
    return this.#refusal?.reason === "newerVersion";
  }

  get recordCount(): number {
    return this.#rows.recordCount;
  }

  /** False while no record is that of a segment. */
  get mayHaveSegments(): boolean {
    return schemaVersion(this.#engine) > TABLES_VERSION;
  }

  get isSearching(): boolean {
    return this.#searching.isBusy;
  }

  /** Runs one time slice of the oldest search; returns its answer once it has finished. */
  runSearchSlice(): readonly FromWorker[] {
    const answer = this.#searching.runSlice();
    if (answer?.kind === "failed") this.#note(answer.error);
    return answer === undefined ? [] : [answer];
  }

  /** Runs one slice of background work; returns whether more remains. Call only while no request is pending. */
  runIdleWork(): boolean {
    return !this.isSearching && this.#searching.fill(() => this.#rows.messageCount);
  }

  /** The open database, with no transaction open. Throws when it must not or cannot be written. */
  writableEngine(): Engine {
    this.#commits.settle();
    return this.#engine;
  }

  /** Like `writableEngine`, except that a read-only database is returned, too. */
  readableEngine(): Engine {
    return this.#refusal === undefined ? this.writableEngine() : this.#engine;
  }

  closeFile(): void {
    this.#ownership.endIfUnsure(); // closing checkpoints the log into the file, unless writes are forbidden
    try {
      this.#engine.close();
    } catch (error) {
      if (this.#refusal === undefined) throw error;
      storageFailureOf(error); // rethrows a bug; otherwise SQLite tried to write to the read-only file
    }
  }

  #answer(request: Exclude<ServerRequest, CommitRequest>): readonly FromWorker[] {
    const { id } = request;
    try {
      if (request.kind === "search") {
        this.#searching.begin(request, this.#rows.messageCount);
        return [];
      }
      if (request.kind !== "close") return [this.#read(request)];
      const ended = this.#endSearches();
      this.closeFile();
      return [...ended, { kind: "closed", id }];
    } catch (error) {
      return [this.#failed(id, error)];
    }
  }

  #failed(id: number, error: unknown): FromWorker {
    const found = storageFailureOf(error);
    const failure = found.reason === "damaged" && this.#isNewer ? (this.#refusal ?? found) : found;
    this.#note(failure);
    return { kind: "failed", ids: [id], error: failure };
  }

  #note(failure: StorageFailed): void {
    if (failure.reason === "damaged") this.#ownership.end(failure);
  }

  #endSearches(): readonly FromWorker[] {
    const ids = this.#searching.end();
    const error = { code: "STORAGE_FAILED", reason: "workerDied", detail: "the conversation was closed" } as const;
    return ids.length === 0 ? [] : [{ kind: "failed", ids, error }];
  }

  #read(request: ReadRequest): FromWorker {
    const { id } = request;
    if (request.kind === "readIndex") {
      const json = this.#rows.indexJson(request.from, request.limit, this.#isNewer);
      return { kind: "rows", id, json };
    }
    const count = this.#rows.messageCount;
    const missing = request.ids.find((message) => message >= count);
    if (missing !== undefined) return { kind: "bug", id, detail: `message ${missing} is not stored` };
    return { kind: "rows", id, json: `[${this.#rows.messagesJson(request.ids).join(",")}]` };
  }
}

/** Rejects every commit. */
class NoCommits {
  readonly #refusal: StorageFailed;

  constructor(refusal: StorageFailed) {
    this.#refusal = refusal;
  }

  store(group: readonly CommitRequest[]): readonly FromWorker[] {
    return [{ kind: "failed", ids: group.map(({ id }) => id), error: this.#refusal }];
  }

  settle(): never {
    throw new Refused(this.#refusal);
  }
}
