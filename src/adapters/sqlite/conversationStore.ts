/**
 * Host-side client of a conversation's store; a worker thread owns the file.
 *
 * Invariants: every call settles, even when the worker dies or hangs; nothing is reported as stored before the worker
 * has confirmed it; once the worker is gone, every further call fails with `workerDied`.
 */

import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { StorageFailed } from "../../core/errors.ts";
import type { Erasure } from "../../core/history/erasure.ts";
import type { Fork } from "../../core/history/fork.ts";
import type { IndexRecord } from "../../core/history/records.ts";
import type { MessageId } from "../../core/ids.ts";
import type {
  ConversationStore,
  RankedSearchOptions,
  SearchOptions,
  StoreSnapshot,
  StoreWrite,
} from "../../core/store/conversationStore.ts";
import type { StoredMessage } from "../../core/message.ts";
import { renameWhenFree } from "../../core/store/systemFiles.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { RankedHit } from "../../core/search/ranking/rankedSearch.ts";
import type { SearchHit } from "../../core/search/bestHits.ts";
import { DATABASE_FILE } from "./databaseFile.ts";
import { nodeFileCalls } from "./engine/shim/fileCalls.ts";
import { parseHits, parseIndexPage, parseMessages, parseRankedHits } from "./rowCodec.ts";
import { storageFailureOf } from "./storageErrors.ts";
import { WorkerClient } from "./thread/workerClient.ts";
import type { WorkerStart } from "./thread/workerProtocol.ts";

export interface ConversationStoreOptions {
  /** The conversation's folder; it must exist and its lease must be held, unless it is only read. */
  readonly folder: string;
  /** Path of the bundled `storageWorker`. */
  readonly workerFile: string;
  /** Path of `sql-wasm-debug.js`; the `.wasm` file is next to it. */
  readonly sqlJsFile: string;
  /** When this file disappears, another process has taken the folder over, and writing stops. */
  readonly leaseFile?: string;
  /** Why the file cannot be written: it is opened only for reading, without a lease. */
  readonly unwritable?: StorageFailed;
  /** A worker that sends nothing for this long while requests are pending counts as dead. */
  readonly silenceLimitMs?: number;
  /** `close` terminates the thread after waiting this long. */
  readonly closeLimitMs?: number;
}

const SILENCE_LIMIT_MS = 30_000; // a disk in standby takes ten seconds to spin up
/** An unfinished fork: no conversation. */
const FORKING_FILE = "forking.sqlite";
const SYNC_INTERVAL_MS = 100;
/** The default of some 64 MB for what is dropped at once would be held as long as the conversation is open. */
const WORKER_MEMORY = { maxYoungGenerationSizeMb: 16 };
const CLOSE_LIMIT_MS = 5_000; // an editor gives extensions about this long to deactivate

/** Opens the conversation in `options.folder`; creates the database file if it is missing. */
export async function openConversationStore(
  options: ConversationStoreOptions,
): Promise<Result<ConversationStore, StorageFailed>> {
  const { folder, sqlJsFile, workerFile, leaseFile, unwritable, silenceLimitMs = SILENCE_LIMIT_MS } = options;
  const start: WorkerStart = {
    folder,
    sqlJsFile,
    ...(leaseFile === undefined ? {} : { leaseFile }),
    ...(unwritable === undefined ? {} : { unwritable }),
  };
  const thread = new Worker(workerFile, { workerData: start, resourceLimits: WORKER_MEMORY });
  const worker = new WorkerClient(thread, silenceLimitMs);
  const opened = await worker.opened;
  if (!opened.ok) {
    await worker.end(0);
    return opened;
  }
  return ok(new WorkerStore(worker, opened.value, options.closeLimitMs ?? CLOSE_LIMIT_MS));
}

class WorkerStore implements ConversationStore {
  readonly shape: StoreSnapshot;
  readonly closed: Promise<void>;
  readonly #worker: WorkerClient;
  readonly #closeLimitMs: number;
  #closed: Promise<Result<void, StorageFailed>> | undefined;

  constructor(worker: WorkerClient, shape: StoreSnapshot, closeLimitMs: number) {
    this.#worker = worker;
    this.shape = shape;
    this.closed = worker.exited;
    this.#closeLimitMs = closeLimitMs;
  }

  async commit(writes: readonly StoreWrite[]): Promise<Result<void, StorageFailed>> {
    if (writes.length === 0) return ok(undefined);
    const answer = await this.#worker.request((id) => ({ kind: "commit", id, writes }));
    return answer.ok ? ok(undefined) : answer;
  }

  async readIndex(from: number, limit: number): Promise<Result<readonly IndexRecord[], StorageFailed>> {
    const answer = await this.#worker.request((id) => ({ kind: "readIndex", id, from, limit }));
    return answer.ok ? ok(parseIndexPage(answer.value)) : answer;
  }

  async readMessages(ids: readonly MessageId[]): Promise<Result<readonly StoredMessage[], StorageFailed>> {
    if (ids.length === 0) return ok([]);
    const answer = await this.#worker.request((id) => ({ kind: "readMessages", id, ids }));
    return answer.ok ? ok(parseMessages(answer.value)) : answer;
  }

  async search(query: string, options: SearchOptions): Promise<Result<readonly SearchHit[], StorageFailed>> {
    const answer = await this.#worker.request((id) => ({ kind: "search", id, query, ...options }));
    return answer.ok ? ok(parseHits(answer.value)) : answer;
  }

  async searchRanked(
    query: string,
    options: RankedSearchOptions,
  ): Promise<Result<readonly RankedHit[], StorageFailed>> {
    const answer = await this.#worker.request((id) => ({ kind: "search", id, query, isRanked: true, ...options }));
    return answer.ok ? ok(parseRankedHits(answer.value)) : answer;
  }

  async erase(erasure: Erasure): Promise<Result<void, StorageFailed>> {
    const answer = await this.#worker.request((id) => ({ kind: "erase", id, erasure }));
    return answer.ok ? ok(undefined) : answer;
  }

  async fork(fork: Fork, folder: string): Promise<Result<void, StorageFailed>> {
    const path = join(folder, FORKING_FILE);
    const request = this.#worker.request((id) => ({ kind: "fork", id, fork, path }));
    const synced = syncGrowing(path, request).catch(storageFailureOf); // here, where it holds no thread
    const answer = await request;
    const failure = await synced;
    if (!answer.ok) return answer;
    if (failure !== undefined) return err(failure);
    try {
      await renameWhenFree(() => rename(path, join(folder, DATABASE_FILE)), wait);
      nodeFileCalls.syncFolder(folder);
      return ok(undefined);
    } catch (error) {
      return err(storageFailureOf(error));
    }
  }

  close(): Promise<Result<void, StorageFailed>> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<Result<void, StorageFailed>> {
    // The answer to `close` is ignored: without it, the write-ahead log still holds everything that was committed.
    const asked = this.#worker.request((id) => ({ kind: "close", id }));
    const gone = await this.#worker.end(this.#closeLimitMs);
    await asked;
    if (gone) return ok(undefined);
    return err({ code: "STORAGE_FAILED", reason: "workerDied", detail: "the store's thread could not be ended" });
  }
}

/**
 * Syncs a file that another thread creates and writes, until `written` resolves and once more, so that little is left to
 * do then. All on one handle, as a failed write is reported to each handle only once.
 */
async function syncGrowing(path: string, written: Promise<unknown>): Promise<void> {
  const end = written.then(() => true);
  const isWritten = (): Promise<boolean> => Promise.race([end, wait(SYNC_INTERVAL_MS, false)]);
  while (nodeFileCalls.find(path) === undefined && !(await isWritten()));
  const file = await open(path, "r+");
  try {
    while (!(await isWritten())) await file.datasync();
    await file.sync();
  } finally {
    await file.close();
  }
}
