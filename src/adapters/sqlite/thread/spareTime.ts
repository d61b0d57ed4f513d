/**
 * Schedules the worker's work between requests. Searches continue immediately, in slices of a few milliseconds, with
 * pending requests in between. After a second without requests the search index is filled, with pauses for other work.
 */

import type { ConversationFile } from "../conversationFile.ts";
import type { FromWorker } from "./workerProtocol.ts";

/** Longer than the gap between the requests of a streamed answer or of somebody typing. */
const IDLE_MS = 1_000;
const PAUSE_MS = 5;
/** Interval of `working` messages during long operations; keeps the host from declaring the worker dead. */
const SIGN_OF_LIFE_MS = 2_000;

export class SpareTime {
  readonly #file: ConversationFile;
  readonly #post: (answer: FromWorker) => void;
  #search: NodeJS.Immediate | undefined;
  #idle: NodeJS.Timeout | undefined;
  #heardMs = performance.now();

  constructor(file: ConversationFile, post: (answer: FromWorker) => void) {
    this.#file = file;
    this.#post = post;
  }

  /** Call when all received requests are answered. */
  begin(): void {
    this.end();
    if (this.#file.isSearching) this.#search = setImmediate(() => this.#goOnSearching());
    else this.#wait(IDLE_MS);
  }

  end(): void {
    clearImmediate(this.#search);
    clearTimeout(this.#idle);
  }

  /** Call repeatedly during long operations; throttles itself. */
  giveSignOfLife(): void {
    if (performance.now() - this.#heardMs < SIGN_OF_LIFE_MS) return;
    this.#heardMs = performance.now();
    this.#post({ kind: "working" });
  }

  #goOnSearching(): void {
    for (const answer of this.#file.goOnSearching()) this.#post(answer);
    this.giveSignOfLife();
    this.begin();
  }

  #wait(delayMs: number): void {
    this.#idle = setTimeout(() => {
      if (this.#file.useIdleTime()) this.#wait(PAUSE_MS);
    }, delayMs);
  }
}
