/**
 * What the worker does between requests. Searches go on at once, a few milliseconds at a time: what arrived meanwhile comes
 * first. When nobody has asked for anything for a while, the index is filled, with pauses that leave the machine to others.
 */

import type { ConversationFile } from "../conversationFile.ts";
import type { FromWorker } from "./workerProtocol.ts";

/** An answer that streams, or somebody who types, is heard from more often. */
const IDLE_MS = 1_000;
const PAUSE_MS = 5;
/** Of what takes long, its asker is told that somebody works on it. */
const SIGN_OF_LIFE_MS = 2_000;

/** The time between the requests to one file. */
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

  /** To be called when the requests that had come are answered. */
  begin(): void {
    this.end();
    if (this.#file.isSearching) this.#search = setImmediate(() => this.#goOnSearching());
    else this.#wait(IDLE_MS);
  }

  /** Nothing more is done. */
  end(): void {
    clearImmediate(this.#search);
    clearTimeout(this.#idle);
  }

  /** To be called again and again during what takes long. */
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
