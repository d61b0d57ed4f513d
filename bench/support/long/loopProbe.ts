/** Time for which a thread was held: the longest gap between two ticks of a timer of one millisecond. */

import { setTimeout as wait } from "node:timers/promises";

export const PROBE_CHANNEL = "forge-bench-long";
const TICK_MS = 1;
const SETTLE_MS = 30;
/** A busy worker answers after what it does at the moment; after an import there is none. */
const ANSWER_MS = 2_000;

export class LoopProbe {
  #longestMs = 0;
  #lastMs = performance.now();

  constructor() {
    setInterval(() => {
      this.#tick();
    }, TICK_MS).unref();
  }

  get longestMs(): number {
    this.#tick();
    return this.#longestMs;
  }

  reset(): void {
    this.#longestMs = 0;
    this.#lastMs = performance.now();
  }

  #tick(): void {
    const nowMs = performance.now();
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
  }
}

export interface Held {
  readonly hostMs: number;
  /** Of the worker that served the conversation; those of imports end with them and hold nobody. */
  readonly workerMs: number;
}

/** Measures this thread and all workers that run `timedWorker`. */
export class ThreadProbes {
  readonly #host = new LoopProbe();
  readonly #channel = new BroadcastChannel(PROBE_CHANNEL);

  async during(work: () => Promise<void>): Promise<Held> {
    this.#channel.postMessage("reset");
    await wait(SETTLE_MS);
    this.#host.reset();
    await work();
    const hostMs = this.#host.longestMs;
    const answer = new Promise<number>((resolve) => {
      this.#channel.onmessage = ({ data }: { readonly data: unknown }): void => {
        if (typeof data === "number") resolve(data);
      };
    });
    this.#channel.postMessage("report");
    return { hostMs, workerMs: await Promise.race([answer, wait(ANSWER_MS, 0)]) };
  }

  close(): void {
    this.#channel.close();
  }
}
