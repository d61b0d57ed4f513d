/** How long each slice of some work holds the thread up. */

import assert from "node:assert/strict";
import { inSlices, type CooperativeTask } from "../../src/core/cooperativeTask.ts";

/** What the work came to, and the milliseconds of each of its slices, in order: at least one. */
export interface MeasuredSlices<T> {
  readonly value: T;
  readonly slicesMs: readonly number[];
}

/** Does the work slice by slice. Times are the thread's own: the machine may be busy with other things meanwhile. */
export async function inMeasuredSlices<T>(steps: CooperativeTask<T>): Promise<MeasuredSlices<T>> {
  const slicesMs: number[] = [];
  let started = process.threadCpuUsage();
  const endOfSlice = (): void => {
    const { user, system } = process.threadCpuUsage(started);
    slicesMs.push((user + system) / 1000);
  };
  const done = await inSlices(steps, {
    cancel: new AbortController().signal,
    yieldToHost: async () => {
      endOfSlice();
      await new Promise((resolve) => setImmediate(resolve));
      started = process.threadCpuUsage();
    },
  });
  endOfSlice();
  assert.ok(done.ok);
  return { value: done.value, slicesMs };
}
