/**
 * The worker's side of one conversation's file, across erasures: each puts another file in the place, and another server.
 * Requests are answered in their order.
 */

import type { StorageFailed } from "../../core/errors.ts";
import type { StoredShape } from "../../core/store/conversationStore.ts";
import type { Result } from "../../core/result.ts";
import { finishErasing, prepareErasing } from "./erase/eraseInFolder.ts";
import type { SqlJsShim } from "./engine/sqlJsShim.ts";
import { storageFailureOf } from "./storageErrors.ts";
import type { StorageServer } from "./thread/storageServer.ts";
import type { EraseRequest, FromWorker, ToWorker } from "./thread/workerProtocol.ts";

/** Where the file lies, and how it is opened again. */
export interface ConversationPlace {
  readonly folder: string;
  readonly shim: SqlJsShim;
  readonly open: () => Result<StorageServer, StorageFailed>;
}

/** Serves the file, whichever it is. */
export class ConversationFile {
  /** What was found at the opening. */
  readonly shape: StoredShape;
  readonly #place: ConversationPlace;
  #server: StorageServer;
  /** Why the file could not be opened again; from then on nothing works until the next opening. */
  #lost: StorageFailed | undefined;
  #queue: ToWorker[] = [];

  constructor(server: StorageServer, place: ConversationPlace) {
    this.#server = server;
    this.#place = place;
    this.shape = server.shape;
  }

  /** Takes a request; nothing happens before `flush`. */
  enqueue(request: ToWorker): void {
    this.#queue.push(request);
  }

  /** Does all that is queued; `onProgress` is called now and then while one request takes long. */
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

  /** True while a search is under way. */
  get isSearching(): boolean {
    return this.#lost === undefined && this.#server.isSearching;
  }

  /** Goes on with a search, for some milliseconds; answers it when it is done. */
  goOnSearching(): readonly FromWorker[] {
    return this.#server.goOnSearching();
  }

  /** Does what can wait, for some milliseconds; answers whether there is more of it. */
  useIdleTime(): boolean {
    return this.#lost === undefined && this.#server.useIdleTime();
  }

  #erase({ id, erasure }: EraseRequest, onProgress: () => void): readonly FromWorker[] {
    const { folder, shim } = this.#place;
    const answers: FromWorker[] = [];
    while (this.#server.isSearching) answers.push(...this.#server.goOnSearching());
    try {
      prepareErasing(this.#server.settled(), { folder, shim, erasure, onProgress });
      this.#server.settled(); // it took long: somebody may have taken the conversation over
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
      finishErasing(this.#place.folder, this.#place.shim.files.calls);
      return undefined;
    } catch (error) {
      return storageFailureOf(error);
    }
  }
}

function afterLoss({ kind, id }: ToWorker, error: StorageFailed): FromWorker {
  return kind === "close" ? { kind: "closed", id } : { kind: "failed", ids: [id], error };
}
