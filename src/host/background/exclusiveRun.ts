/** One thing at a time: what a conversation is busy with, and how it is stopped. */

/** What a conversation is busy with. `applying`: for the moment that it takes to store summaries that are written. */
export type Activity = "idle" | "streaming" | "summarizing" | "applying";

/** What is told of each run. */
export interface RunListener {
  readonly begun: (activity: Activity) => void;
  /** It is idle again. */
  readonly ended: () => void;
  /** Something threw that must not. */
  readonly bug: (error: unknown) => void;
}

/** Runs one piece of work at a time; asking for another one meanwhile is a bug of the caller. */
export class ExclusiveRun {
  readonly #listener: RunListener;
  #activity: Activity = "idle";
  #cancel: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(listener: RunListener) {
    this.#listener = listener;
  }

  /** What it is busy with. */
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
      .catch(this.#listener.bug)
      .finally(() => {
        this.#activity = "idle";
        this.#cancel = undefined;
        this.#listener.ended();
      });
    this.#listener.begun(activity);
    await this.#running;
  }

  /** Stops what runs. */
  stop(): void {
    this.#cancel?.abort();
  }
}
