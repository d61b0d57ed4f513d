/**
 * Serves one conversation's database in the worker. An erasure replaces the file and its `StorageServer`; this object
 * outlives both. Requests are processed in the order in which they were enqueued.
 */

import type { StorageFailed } from "../../core/errors.ts";
import type { StoreSnapshot } from "../../core/store/conversationStore.ts";
import type { Result } from "../../core/result.ts";
import { swapInErasedCopy, buildErasedCopy } from "./erase/eraseInFolder.ts";
import type { SqlJsShim } from "./engine/sqlJsShim.ts";
import { storageFailureOf } from "./storageErrors.ts";
import type { StorageServer } from "./thread/storageServer.ts";
import type { EraseRequest, FromWorker, ToWorker } from "./thread/workerProtocol.ts";

/** What an erasure needs to replace the file and reopen it. */
export interface ConversationPlace {
  readonly folder: string;
  readonly shim: SqlJsShim;
  readonly open: () => Result<StorageServer, StorageFailed>;
}

export class ConversationFile {
  readonly shape: StoreSnapshot;
  readonly #place: ConversationPlace;
  #server: StorageServer;
  /** Set when the file could not be reopened after an erasure; every later request except `close` fails with it. */
  #lost: StorageFailed | undefined;
  #queue: ToWorker[] = [];

  constructor(server: StorageServer, place: ConversationPlace) {
    this.#server = server;
    this.#place = place;
    this.shape = server.shape;
  }

  /** Queues a request; `flush` processes it. */
  enqueue(request: ToWorker): void {
    this.#queue.push(request);
  }

  /** Processes the queue; an erasure calls `onProgress` every few milliseconds. */
  flush(onProgress: () => void = () => undefined): readonly FromWorker[] {
    const requests = this.#queue;
    this.#queue = [];
    const answers: FromWorker[] = [];
    for (const request of requests) {
      if (this.#lost !== undefined) answers.push(afterLoss(request, this.#lost));
      else if (request.kind !== "erase") this.#server.enqueue(request);
      else answers.push(...this.#server.flush(), ...this.#erase(request, onProgress));
    }
    if (this.#lost === undefined) answers.push(...this.#server.flush());
    return answers;
  }

  get isSearching(): boolean {
    return this.#lost === undefined && this.#server.isSearching;
  }

  /** Runs one time slice of the oldest search; returns its answer once it has finished. */
  runSearchSlice(): readonly FromWorker[] {
    return this.#server.runSearchSlice();
  }

  /** Runs one slice of background work; returns whether more remains. */
  runIdleWork(): boolean {
    return this.#lost === undefined && this.#server.runIdleWork();
  }

  #erase({ id, erasure }: EraseRequest, onProgress: () => void): readonly FromWorker[] {
    const { folder, shim } = this.#place;
    const answers: FromWorker[] = [];
    while (this.#server.isSearching) answers.push(...this.#server.runSearchSlice());
    try {
      buildErasedCopy(this.#server.writableEngine(), { folder, shim, erasure, onProgress });
      this.#server.writableEngine(); // the copy takes long; another window may have taken over meanwhile
    } catch (error) {
      return [...answers, { kind: "failed", ids: [id], error: storageFailureOf(error) }];
    }
    const failure = this.#swap();
    const reopened = this.#place.open();
    if (reopened.ok) this.#server = reopened.value;
    else this.#lost = reopened.error;
    const isDone = failure === undefined;
    return [...answers, isDone ? { kind: "committed", ids: [id] } : { kind: "failed", ids: [id], error: failure }];
  }

  #swap(): StorageFailed | undefined {
    try {
      this.#server.closeFile();
      swapInErasedCopy(this.#place.folder, this.#place.shim.files.calls);
      return undefined;
    } catch (error) {
      return storageFailureOf(error);
    }
  }
}

function afterLoss({ kind, id }: ToWorker, error: StorageFailed): FromWorker {
  return kind === "close" ? { kind: "closed", id } : { kind: "failed", ids: [id], error };
}
