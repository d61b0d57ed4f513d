/**
 * Serves one conversation's database in the worker. An erasure replaces the file and its `StorageServer`; this object
 * outlives both. Requests are processed in the order in which they were enqueued; searches, erasures and forks run in
 * slices, with later requests in between. Only while the file is replaced, in slices, too, do they wait.
 */

import { join } from "node:path";
import type { CooperativeTask } from "../../core/cooperativeTask.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { StoreSnapshot } from "../../core/store/conversationStore.ts";
import type { Result } from "../../core/result.ts";
import { copyFork } from "./copyFork.ts";
import { DATABASE_FILE } from "./databaseFile.ts";
import { ErasedCopy, swapInErasedCopy } from "./erase/eraseInFolder.ts";
import type { SqlJsShim } from "./engine/sqlJsShim.ts";
import { storageFailureOf } from "./storageErrors.ts";
import type { ServerRequest, StorageServer } from "./thread/storageServer.ts";
import type { EraseRequest, ForkRequest, FromWorker, ToWorker } from "./thread/workerProtocol.ts";

/** Place and reopening of the file, for an erasure that replaces it and a fork that makes another. */
export interface ConversationPlace {
  readonly folder: string;
  readonly shim: SqlJsShim;
  readonly open: () => Result<StorageServer, StorageFailed>;
}

interface PendingErasure {
  readonly kind: "erase";
  readonly request: EraseRequest;
  /** The newest draft: later ones than that of the request are stored while it runs. */
  draft: string;
}

interface PendingFork {
  readonly kind: "fork";
  readonly request: ForkRequest;
  /** Number of records when it was requested. */
  readonly recordCount: number;
  steps?: CooperativeTask<void>;
}

export class ConversationFile {
  readonly shape: StoreSnapshot;
  readonly #place: ConversationPlace;
  #server: StorageServer;
  /** Set when the file could not be reopened after an erasure; every later request except `close` fails with it. */
  #lost: StorageFailed | undefined;
  #queue: ToWorker[] = [];
  /** Oldest first; only the first is under way. */
  readonly #copies: (PendingErasure | PendingFork)[] = [];
  /** Of the first. */
  #copy: ErasedCopy | undefined;
  /** Under way from the time that all is copied; requests wait in the queue meanwhile. */
  #replacing: CooperativeTask<readonly FromWorker[]> | undefined;
  /** Drafts that are about to be stored while an erasure runs, by request. */
  readonly #drafts = new Map<number, string>();

  constructor(server: StorageServer, place: ConversationPlace) {
    this.#server = server;
    this.#place = place;
    this.shape = server.shape;
  }

  get mayHaveSegments(): boolean {
    return this.#server.mayHaveSegments;
  }

  /** Queues a request; `flush` processes it. */
  enqueue(request: ToWorker): void {
    this.#queue.push(request);
  }

  /** Processes the queue. Closing finishes erasures and forks first, and calls `onProgress` every few milliseconds meanwhile. */
  flush(onProgress: () => void = () => undefined): readonly FromWorker[] {
    const answers: FromWorker[] = [];
    if (this.#replacing !== undefined && !this.#queue.some(({ kind }) => kind === "close")) return answers;
    while (this.#replacing !== undefined) {
      answers.push(...this.#replaceSlice(this.#replacing));
      onProgress();
    }
    const requests = this.#queue;
    this.#queue = [];
    for (const request of requests) {
      if (request.kind === "close" && this.#copies.length > 0) {
        answers.push(...this.#flushServer());
        while (this.isBusy) {
          answers.push(...this.runSlice());
          onProgress();
        }
      }
      if (this.#lost !== undefined) answers.push(afterLoss(request, this.#lost));
      else if (request.kind === "erase") {
        answers.push(...this.#flushServer());
        this.#copies.push({ kind: "erase", request, draft: request.erasure.draft });
      } else if (request.kind === "fork") answers.push(...this.#flushServer(), ...this.#beginFork(request));
      else this.#enqueueInServer(request);
    }
    answers.push(...this.#flushServer());
    return answers;
  }

  /** True while a search, an erasure or a fork is under way. */
  get isBusy(): boolean {
    if (this.#replacing !== undefined) return true;
    return this.#lost === undefined && (this.#server.isSearching || this.#copies.length > 0);
  }

  /** Runs one slice of the oldest search or, without one, of the oldest erasure or fork; returns what it has finished. */
  runSlice(): readonly FromWorker[] {
    if (this.#replacing !== undefined) {
      const answers = this.#replaceSlice(this.#replacing);
      return [...answers, ...this.flush()];
    }
    if (this.#server.isSearching) return this.#server.runSearchSlice();
    const [copy] = this.#copies;
    if (copy === undefined) return [];
    return copy.kind === "erase" ? this.#runErasure(copy) : this.#runFork(copy);
  }

  /** Runs one slice of background work; returns whether more remains. */
  runIdleWork(): boolean {
    return this.#lost === undefined && !this.isBusy && this.#server.runIdleWork();
  }

  #beginFork(request: ForkRequest): readonly FromWorker[] {
    try {
      this.#copies.push({ kind: "fork", request, recordCount: this.#server.recordCount });
      return [];
    } catch (error) {
      return [{ kind: "failed", ids: [request.id], error: storageFailureOf(error) }];
    }
  }

  #runFork(pending: PendingFork): readonly FromWorker[] {
    const { id, ...copy } = pending.request;
    try {
      const from = this.#server.readableEngine();
      const { folder, shim } = this.#place;
      const origin = join(folder, DATABASE_FILE);
      pending.steps ??= copyFork(from, shim, { ...copy, origin, recordCount: pending.recordCount });
      if (pending.steps.next().done !== true) return [];
      this.#copies.shift();
      return [{ kind: "committed", ids: [id] }];
    } catch (error) {
      this.#copies.shift();
      pending.steps?.return();
      return [{ kind: "failed", ids: [id], error: storageFailureOf(error) }];
    }
  }

  #runErasure(pending: PendingErasure): readonly FromWorker[] {
    const { folder, shim } = this.#place;
    const { id, erasure } = pending.request;
    try {
      this.#copy ??= new ErasedCopy(this.#server.writableEngine(), { folder, shim, erasure });
      if (!this.#copy.runSlice()) this.#replacing = this.#replace(this.#copy, pending);
      return [];
    } catch (error) {
      return [this.#failErasure(id, error)];
    }
  }

  #replaceSlice(replacing: CooperativeTask<readonly FromWorker[]>): readonly FromWorker[] {
    const step = replacing.next();
    if (step.done !== true) return [];
    this.#replacing = undefined;
    return step.value;
  }

  *#replace(copy: ErasedCopy, { request: { id }, draft }: PendingErasure): CooperativeTask<readonly FromWorker[]> {
    try {
      this.#server.writableEngine(); // the copy takes long; another window may have taken over meanwhile
      if (!(yield* copy.finish(draft))) return [];
    } catch (error) {
      return [this.#failErasure(id, error)];
    }
    this.#endErasure();
    const failure = yield* this.#swap();
    const reopened = this.#place.open();
    if (reopened.ok) this.#server = reopened.value;
    const done: FromWorker =
      failure === undefined ? { kind: "committed", ids: [id] } : { kind: "failed", ids: [id], error: failure };
    return reopened.ok ? [done] : [done, ...this.#lose(reopened.error)];
  }

  #failErasure(id: number, error: unknown): FromWorker {
    this.#copy?.abandon();
    this.#endErasure();
    return { kind: "failed", ids: [id], error: storageFailureOf(error) };
  }

  #endErasure(): void {
    this.#copy = undefined;
    this.#copies.shift();
  }

  /** Nothing can be served any more: fails the erasures and forks that wait. */
  #lose(error: StorageFailed): readonly FromWorker[] {
    this.#lost = error;
    return this.#copies.splice(0).map(({ request }) => afterLoss(request, error));
  }

  #enqueueInServer(request: ServerRequest): void {
    this.#server.enqueue(request);
    if (request.kind !== "commit" || this.#copies.length === 0) return;
    const draft = request.writes.findLast((write) => write.kind === "draft");
    if (draft !== undefined) this.#drafts.set(request.id, draft.text);
  }

  #flushServer(): readonly FromWorker[] {
    if (this.#lost !== undefined) return [];
    const answers = this.#server.flush();
    if (this.#drafts.size === 0) return answers;
    const stored = new Set(answers.flatMap((answer) => (answer.kind === "committed" ? answer.ids : [])));
    for (const [id, draft] of this.#drafts)
      if (stored.has(id)) for (const copy of this.#copies) if (copy.kind === "erase") copy.draft = draft;
    this.#drafts.clear();
    return answers;
  }

  *#swap(): CooperativeTask<StorageFailed | undefined> {
    try {
      this.#server.closeFile();
      yield;
      yield* swapInErasedCopy(this.#place.folder, this.#place.shim.files.calls);
      return undefined;
    } catch (error) {
      return storageFailureOf(error);
    }
  }
}

function afterLoss({ kind, id }: ToWorker, error: StorageFailed): FromWorker {
  return kind === "close" ? { kind: "closed", id } : { kind: "failed", ids: [id], error };
}
