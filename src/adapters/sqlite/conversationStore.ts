/**
 * The host's side of a conversation's store: a worker thread owns the file, this asks it.
 *
 * Invariants: every call is answered, even when the worker dies or hangs; nothing is reported as stored that the worker
 * did not report as stored; after the worker is gone every further call fails with `workerDied`.
 */

import { Worker } from "node:worker_threads";
import type { StorageFailed } from "../../core/errors.ts";
import type { Erasure } from "../../core/history/erasure.ts";
import type { IndexRecord } from "../../core/history/records.ts";
import type { MessageId } from "../../core/ids.ts";
import type { ConversationStore, SearchOptions, StoredShape, StoreWrite } from "../../core/store/conversationStore.ts";
import type { StoredMessage } from "../../core/message.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { SearchHit } from "../../core/search/bestHits.ts";
import { parseHits, parseIndexPage, parseMessages } from "./rowCodec.ts";
import { StoreWorker } from "./thread/storeWorker.ts";
import type { WorkerStart } from "./thread/workerProtocol.ts";

/** Where things lie and how long to wait. */
export interface ConversationStoreOptions {
  /** The conversation's folder; it exists and its lease is held. */
  readonly folder: string;
  /** The bundled `storageWorker`. */
  readonly workerFile: string;
  /** `sql-wasm-debug.js`, with its `.wasm` beside it. */
  readonly sqlJsFile: string;
  /** The file of the lease: once it is gone, another process has taken the folder over, and nothing more is written. */
  readonly leaseFile?: string;
  /** A worker that says nothing for so long, while it is asked for something, counts as dead. */
  readonly silenceLimitMs?: number;
  /** `close` waits so long for the worker before it ends the thread by force. */
  readonly closeLimitMs?: number;
}

const SILENCE_LIMIT_MS = 30_000; // a sleeping disk needs ten seconds to wake
const CLOSE_LIMIT_MS = 5_000; // an editor gives its extensions about this long to go

/** Opens the conversation in `options.folder`, whose file is made when it is missing. */
export async function openConversationStore(
  options: ConversationStoreOptions,
): Promise<Result<ConversationStore, StorageFailed>> {
  const { folder, sqlJsFile, workerFile, leaseFile, silenceLimitMs = SILENCE_LIMIT_MS } = options;
  const start: WorkerStart = { folder, sqlJsFile, ...(leaseFile === undefined ? {} : { leaseFile }) };
  const thread = new Worker(workerFile, { workerData: start });
  const worker = new StoreWorker(thread, silenceLimitMs);
  const opened = await worker.opened;
  if (!opened.ok) {
    await worker.end(0);
    return opened;
  }
  return ok(new WorkerStore(worker, opened.value, options.closeLimitMs ?? CLOSE_LIMIT_MS));
}

class WorkerStore implements ConversationStore {
  readonly shape: StoredShape;
  readonly gone: Promise<void>;
  readonly #worker: StoreWorker;
  readonly #closeLimitMs: number;
  #closed: Promise<Result<void, StorageFailed>> | undefined;

  constructor(worker: StoreWorker, shape: StoredShape, closeLimitMs: number) {
    this.#worker = worker;
    this.shape = shape;
    this.gone = worker.exited;
    this.#closeLimitMs = closeLimitMs;
  }

  async commit(writes: readonly StoreWrite[]): Promise<Result<void, StorageFailed>> {
    if (writes.length === 0) return ok(undefined);
    const answer = await this.#worker.ask((id) => ({ kind: "commit", id, writes }));
    return answer.ok ? ok(undefined) : answer;
  }

  async readIndex(from: number, limit: number): Promise<Result<readonly IndexRecord[], StorageFailed>> {
    const answer = await this.#worker.ask((id) => ({ kind: "readIndex", id, from, limit }));
    return answer.ok ? ok(parseIndexPage(answer.value)) : answer;
  }

  async readMessages(ids: readonly MessageId[]): Promise<Result<readonly StoredMessage[], StorageFailed>> {
    if (ids.length === 0) return ok([]);
    const answer = await this.#worker.ask((id) => ({ kind: "readMessages", id, ids }));
    return answer.ok ? ok(parseMessages(answer.value)) : answer;
  }

  async search(query: string, options: SearchOptions): Promise<Result<readonly SearchHit[], StorageFailed>> {
    const answer = await this.#worker.ask((id) => ({ kind: "search", id, query, ...options }));
    return answer.ok ? ok(parseHits(answer.value)) : answer;
  }

  async erase(erasure: Erasure): Promise<Result<void, StorageFailed>> {
    const answer = await this.#worker.ask((id) => ({ kind: "erase", id, erasure }));
    return answer.ok ? ok(undefined) : answer;
  }

  close(): Promise<Result<void, StorageFailed>> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<Result<void, StorageFailed>> {
    // Whether the file was closed well does not matter once the thread is gone: the log beside it holds everything.
    const asked = this.#worker.ask((id) => ({ kind: "close", id }));
    const gone = await this.#worker.end(this.#closeLimitMs);
    await asked;
    if (gone) return ok(undefined);
    return err({ code: "STORAGE_FAILED", reason: "workerDied", detail: "the store's thread could not be ended" });
  }
}
