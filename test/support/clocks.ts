import type { Clock } from "../../src/core/clock.ts";

/** The system's clock. Its timers keep no process alive. */
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

/** A clock that moves only by `advance`. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #timers: { readonly dueMs: number; readonly callback: () => void }[] = [];

  /** Milliseconds since the clock was created. */
  nowMs(): number {
    return this.#nowMs;
  }

  /** Number of pending timers. */
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

  /** Advances the time and fires timers in order. Lets promises settle in between. */
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

/** Pauses are over at once, and only move the time; limits, which are longer, end only by `endLimits`. */
export class ImpatientClock implements Clock {
  readonly #shortestLimitMs: number;
  readonly #limits = new Set<() => void>();
  #nowMs: number;
  /** In milliseconds, in the order in which they began. */
  readonly pauses: number[] = [];

  constructor(nowMs: number, shortestLimitMs: number) {
    this.#nowMs = nowMs;
    this.#shortestLimitMs = shortestLimitMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  get pendingLimits(): number {
    return this.#limits.size;
  }

  after(delayMs: number, callback: () => void): () => void {
    if (delayMs >= this.#shortestLimitMs) {
      this.#limits.add(callback);
      return () => {
        this.#limits.delete(callback);
      };
    }
    this.pauses.push(delayMs);
    const immediate = setImmediate(() => {
      this.#nowMs += delayMs;
      callback();
    });
    return () => {
      clearImmediate(immediate);
    };
  }

  endLimits(): void {
    for (const callback of [...this.#limits]) callback();
  }
}

/** Resolves when all pending promise callbacks have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
