/** Growth of the process's resident memory, sampled by a thread of its own, since the others may be busy. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";

const SAMPLER = `
const { workerData } = require("node:worker_threads");
const peak = new Float64Array(workerData);
setInterval(() => { peak[0] = Math.max(peak[0], process.memoryUsage.rss()); }, 5);
`;
const START_MS = 200;

export interface Growth {
  readonly peakMb: number;
  readonly endMb: number;
  /** Up to now. */
  readonly sinceMb: () => number;
}

export class PeakMemory {
  readonly #peak = new Float64Array(new SharedArrayBuffer(8));
  readonly #sampler = new Worker(SAMPLER, { eval: true, workerData: this.#peak.buffer });

  /** The most that was in use during `work`, and at its end, each less what was in use before. */
  async growthDuring(work: () => Promise<void>): Promise<Growth> {
    await wait(START_MS);
    collectGarbage();
    const before = process.memoryUsage.rss();
    this.#peak[0] = before;
    await work();
    const sinceMb = (): number => (process.memoryUsage.rss() - before) / 1e6;
    const endMb = sinceMb();
    return { peakMb: Math.max(endMb, (Math.max(...this.#peak) - before) / 1e6), endMb, sinceMb };
  }

  async end(): Promise<void> {
    await this.#sampler.terminate();
  }
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}
