import assert from "node:assert/strict";
import { inSlices, type CooperativeTask } from "../../src/core/cooperativeTask.ts";

/** Result of the work, and the durations of its slices in milliseconds: at least one. */
export interface MeasuredSlices<T> {
  readonly value: T;
  readonly slicesMs: readonly number[];
}

/** Runs a task slice by slice. Measures thread time, since other processes run on this machine. */
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
