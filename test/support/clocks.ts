/** Clocks for tests: the machine's own, and one that moves only when it is told. */

import type { Clock } from "../../src/core/clock.ts";

/** The machine's own time. Its timers keep no process alive. */
export const realClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Time that stands still until `advance` is called. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #timers: { readonly dueMs: number; readonly callback: () => void }[] = [];

  /** Milliseconds since the clock was made. */
  nowMs(): number {
    return this.#nowMs;
  }

  /** Timers that have not rung and were not cancelled. */
  get pending(): number {
    return this.#timers.length;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass, ringing timers in order; in between, everything that waits on promises runs. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      await settled();
      const due = this.#timers.filter((timer) => timer.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (due === undefined) break;
      this.#nowMs = due.dueMs;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      due.callback();
    }
    this.#nowMs = untilMs;
    await settled();
  }
}

/** Resolves when all promises that can be settled have been. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
