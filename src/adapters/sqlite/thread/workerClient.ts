/** Request/response client of a storage worker: every request settles exactly once, whatever happens to the thread. */

import type { Worker } from "node:worker_threads";
import { type StorageFailed, thrownText } from "../../../core/errors.ts";
import type { StoreSnapshot } from "../../../core/store/conversationStore.ts";
import { assertNever, err, ok, type Result } from "../../../core/result.ts";
import type { FromWorker, ToWorker } from "./workerProtocol.ts";

type Answer = Result<string, StorageFailed>;
interface PendingRequest {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (bug: Error) => void;
}

export class WorkerClient {
  /** The worker's first message. */
  readonly opened: Promise<Result<StoreSnapshot, StorageFailed>>;
  /** Resolves when the thread has exited and can no longer write. */
  readonly exited: Promise<void>;
  readonly #thread: Worker;
  readonly #silenceLimitMs: number;
  readonly #pending = new Map<number, PendingRequest>();
  #resolveOpened: (result: Result<StoreSnapshot, StorageFailed>) => void = () => undefined;
  #nextId = 0;
  #death: StorageFailed | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(thread: Worker, silenceLimitMs: number) {
    this.#thread = thread;
    this.#silenceLimitMs = silenceLimitMs;
    this.opened = new Promise((resolve) => (this.#resolveOpened = resolve));
    this.exited = new Promise((resolve) => thread.once("exit", () => resolve()));
    thread.on("message", (message: FromWorker) => {
      this.#receive(message);
    });
    thread.on("error", (error: unknown) => {
      this.#failAll(thrownText(error));
    });
    thread.once("exit", (code) => {
      this.#failAll(`the store's thread ended with code ${code}`);
    });
    this.#startWatch();
  }

  /** Resolves with the rows as JSON, or "" for a request without rows. Rejects only for a bug in the caller. */
  request(question: (id: number) => ToWorker): Promise<Answer> {
    if (this.#death !== undefined) return Promise.resolve(err(this.#death));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#thread.postMessage(question(id));
      if (this.#watch === undefined) this.#startWatch();
    });
  }

  /**
   * Waits up to `limitMs` for the thread to exit, then terminates it and waits again, at least one second.
   * Returns whether it has exited; until then it may still write.
   */
  async end(limitMs: number): Promise<boolean> {
    if (await this.#exitsWithin(limitMs)) return true;
    this.#failAll("the store's thread did not close in time and was ended");
    this.#thread.terminate().catch((error: unknown) => {
      this.#failAll(String(error));
    });
    return this.#exitsWithin(Math.max(limitMs, 1_000));
  }

  #exitsWithin(limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(false);
      }, limitMs);
      void this.exited.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #receive(message: FromWorker): void {
    this.#stopWatch();
    switch (message.kind) {
      case "opened":
        this.#resolveOpened(ok(message.shape));
        break;
      case "openFailed":
        this.#resolveOpened(err(message.error));
        break;
      case "committed":
        for (const id of message.ids) this.#settle(id, ok(""));
        break;
      case "failed":
        for (const id of message.ids) this.#settle(id, err(message.error));
        break;
      case "rows":
        this.#settle(message.id, ok(message.json));
        break;
      case "closed":
        this.#settle(message.id, ok(""));
        break;
      case "working":
        break;
      case "bug":
        this.#pending.get(message.id)?.reject(new Error(message.detail));
        this.#pending.delete(message.id);
        break;
      default:
        assertNever(message);
    }
    if (this.#pending.size > 0) this.#startWatch();
  }

  #settle(id: number, answer: Answer): void {
    this.#pending.get(id)?.resolve(answer);
    this.#pending.delete(id);
  }

  /** Fails all pending and future requests. */
  #failAll(detail: string): void {
    if (this.#death !== undefined) return;
    const death: StorageFailed = { code: "STORAGE_FAILED", reason: "workerDied", detail };
    this.#death = death;
    this.#stopWatch();
    this.#resolveOpened(err(death));
    for (const pending of this.#pending.values()) pending.resolve(err(death));
    this.#pending.clear();
  }

  #startWatch(): void {
    this.#watch = setTimeout(() => {
      this.#failAll(`the store's thread was silent for ${this.#silenceLimitMs / 1_000} s`);
      void this.end(0);
    }, this.#silenceLimitMs);
  }

  #stopWatch(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
  }
}
