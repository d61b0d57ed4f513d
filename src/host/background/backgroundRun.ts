/** Work that runs while nobody waits for it, one piece at a time; somebody may begin to wait, or end it. */

import type { CancelSignal } from "../../core/cancellation.ts";

/** Runs it. */
export class BackgroundRun {
  readonly #bug: (error: unknown) => void;
  #running: { readonly cancel: AbortController; readonly done: Promise<void> } | undefined;

  constructor(bug: (error: unknown) => void) {
    this.#bug = bug;
  }

  /** Whether something runs. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Begins `work` when what was cancelled before has ended; `ended` is called when no other has taken its place. */
  begin(work: (cancel: CancelSignal) => Promise<void>, ended: () => void): void {
    const cancel = new AbortController();
    const before = this.#running?.done ?? Promise.resolve();
    const done = before
      .then(() => (cancel.signal.aborted ? undefined : work(cancel.signal)))
      .catch(this.#bug)
      .finally(() => {
        if (this.#running?.cancel !== cancel) return;
        this.#running = undefined;
        ended();
      });
    this.#running = { cancel, done };
  }

  /** Asks what runs to end. */
  cancel(): void {
    this.#running?.cancel.abort();
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    await this.#running?.done;
  }

  /** Resolves when nothing runs any more, or `cancel` ends the waiting: the work itself goes on then. */
  async settledUnless(cancel: CancelSignal): Promise<void> {
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    cancel.addEventListener("abort", stop);
    await Promise.race([this.settled(), stopped]);
    cancel.removeEventListener("abort", stop);
  }
}
