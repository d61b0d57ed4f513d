/** One thing at a time: what a conversation is busy with, and how it is stopped. */

import { Emitter } from "./emitter.ts";

/** What a conversation is busy with. `applying`: for the moment that it takes to store a change. */
export type Activity = "idle" | "streaming" | "summarizing" | "applying";

/** Runs one piece of work at a time; asking for another one meanwhile is a bug of the caller. */
export class ExclusiveRun {
  readonly #begun = new Emitter<Activity>();
  readonly #ended = new Emitter<void>();
  readonly onDidBegin = this.#begun.event;
  /** Fires when it is idle again. */
  readonly onDidEnd = this.#ended.event;
  readonly #reportBug: (error: unknown) => void;
  #activity: Activity = "idle";
  #cancel: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(reportBug: (error: unknown) => void) {
    this.#reportBug = reportBug;
  }

  get activity(): Activity {
    return this.#activity;
  }

  /** Resolves when nothing runs any more. */
  get settled(): Promise<void> {
    return this.#running;
  }

  /** Runs `work`; resolves when it has ended. */
  async run(activity: Activity, work: (cancel: AbortSignal) => Promise<void>): Promise<void> {
    this.#activity = activity;
    const cancel = new AbortController();
    this.#cancel = cancel;
    this.#running = work(cancel.signal)
      .catch(this.#reportBug)
      .finally(() => {
        this.#activity = "idle";
        this.#cancel = undefined;
        this.#ended.fire();
      });
    this.#begun.fire(activity);
    await this.#running;
  }

  /** Stops what runs. */
  stop(): void {
    this.#cancel?.abort();
  }
}
