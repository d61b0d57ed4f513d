import type { CancelSignal } from "../../core/cancellation.ts";

/** Background work, one task at a time, that can be awaited or cancelled. */
export class BackgroundRun {
  readonly #reportBug: (error: unknown) => void;
  #running: { readonly cancel: AbortController; readonly done: Promise<void> } | undefined;

  constructor(reportBug: (error: unknown) => void) {
    this.#reportBug = reportBug;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Starts `work` once the previous task has ended; calls `ended` unless another task has started since. */
  start(work: (cancel: CancelSignal) => Promise<void>, ended: () => void): void {
    const cancel = new AbortController();
    const before = this.#running?.done ?? Promise.resolve();
    const done = before
      .then(() => (cancel.signal.aborted ? undefined : work(cancel.signal)))
      .catch(this.#reportBug)
      .finally(() => {
        if (this.#running?.cancel !== cancel) return;
        this.#running = undefined;
        ended();
      });
    this.#running = { cancel, done };
  }

  cancel(): void {
    this.#running?.cancel.abort();
  }

  /** Resolves when the current task, if any, has ended. */
  async settled(): Promise<void> {
    await this.#running?.done;
  }

  /** Like {@link BackgroundRun.settled}, but also resolves when `cancel` aborts, which does not cancel the task. */
  async settledOrCancelled(cancel: CancelSignal): Promise<void> {
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    cancel.addEventListener("abort", stop);
    await Promise.race([this.settled(), stopped]);
    cancel.removeEventListener("abort", stop);
  }
}
