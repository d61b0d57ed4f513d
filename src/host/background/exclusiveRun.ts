import { Emitter } from "./emitter.ts";

/** `applying`: while a change is being stored. */
export type Activity = "idle" | "streaming" | "summarizing" | "applying";

/** Runs one task at a time; a caller must not start another one while it runs. */
export class ExclusiveRun {
  readonly #begun = new Emitter<Activity>();
  readonly #ended = new Emitter<void>();
  readonly onDidBegin = this.#begun.event;
  /** Fires after the activity has become idle. */
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

  /** Resolves when the current task has ended. */
  get settled(): Promise<void> {
    return this.#running;
  }

  /** Resolves when `work` has ended; errors are reported, not thrown. */
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

  stop(): void {
    this.#cancel?.abort();
  }
}
