/** Runs work that also waits. */

import assert from "node:assert/strict";
import type { WaitingTask } from "../../src/core/cooperativeTask.ts";

export async function runWaiting<T>(task: WaitingTask<T>): Promise<T> {
  for (;;) {
    const step = task.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

/** For work that has nothing to wait for, on files in memory. */
export function runAtOnce<T>(task: WaitingTask<T>): T {
  for (;;) {
    const step = task.next();
    if (step.done === true) return step.value;
    assert.equal(step.value, undefined);
  }
}
