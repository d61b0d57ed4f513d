/**
 * Schedules the worker's work between requests. Searches and erasures continue immediately, in slices of a few
 * milliseconds, with pending requests in between. After a second without requests the search index is filled, with
 * pauses for other work.
 */

import type { ConversationFile } from "../conversationFile.ts";
import type { FromWorker } from "./workerProtocol.ts";

/** Longer than the gap between the requests of a streamed answer or of somebody typing. */
const IDLE_MS = 1_000;
const PAUSE_MS = 5;
/** Interval of `working` messages during long operations; keeps the host from declaring the worker dead. */
const KEEP_ALIVE_INTERVAL_MS = 2_000;

export class IdleScheduler {
  readonly #file: ConversationFile;
  readonly #post: (answer: FromWorker) => void;
  #slice: NodeJS.Immediate | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastKeepAliveMs = performance.now();

  constructor(file: ConversationFile, post: (answer: FromWorker) => void) {
    this.#file = file;
    this.#post = post;
  }

  /** Call when all received requests are answered. */
  begin(): void {
    this.end();
    if (this.#file.isBusy) this.#slice = setImmediate(() => this.#runSlice());
    else this.#wait(IDLE_MS);
  }

  end(): void {
    clearImmediate(this.#slice);
    clearTimeout(this.#idle);
  }

  /** Call repeatedly during long operations; throttles itself. */
  postKeepAlive(): void {
    if (performance.now() - this.#lastKeepAliveMs < KEEP_ALIVE_INTERVAL_MS) return;
    this.#lastKeepAliveMs = performance.now();
    this.#post({ kind: "working" });
  }

  #runSlice(): void {
    for (const answer of this.#file.runSlice()) this.#post(answer);
    this.postKeepAlive();
    this.begin();
  }

  #wait(delayMs: number): void {
    this.#idle = setTimeout(() => {
      if (this.#file.runIdleWork()) this.#wait(PAUSE_MS);
    }, delayMs);
  }
}
