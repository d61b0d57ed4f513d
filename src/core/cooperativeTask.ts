/** Long work as generators that pause every few milliseconds, so that the host can do other work in between. */

import type { Cancelled } from "./errors.ts";
import type { CancelSignal } from "./cancellation.ts";
import { err, ok, type Result } from "./result.ts";

export type CooperativeTask<T> = Generator<undefined, T>;

/** One that also waits: a promise that it yields fulfills before it goes on. It learns of a failure by itself. */
export type WaitingTask<T> = Generator<Promise<void> | undefined, T>;

export interface Pace {
  readonly yieldToHost: () => Promise<void>;
  readonly cancel: CancelSignal;
}

/** Runs the task, yielding to the host at each pause. */
export async function inSlices<T>(
  steps: CooperativeTask<T>,
  { yieldToHost, cancel }: Pace,
): Promise<Result<T, Cancelled>> {
  for (;;) {
    if (cancel.aborted) return err({ code: "CANCELLED" });
    const step = steps.next();
    if (step.done === true) return ok(step.value);
    await yieldToHost();
  }
}

/** Runs the task without pauses. */
export function runSync<T>(steps: CooperativeTask<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Messages between two pauses: a millisecond or two, a few more before the code is optimized. */
export const MESSAGES_PER_SLICE = 1_000;

/** Tells a loop to pause after `most` units of work. */
export class Slice {
  readonly #most: number;
  #done = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts work; true when it is time to pause. */
  isOver(units: number): boolean {
    this.#done += units;
    if (this.#done < this.#most) return false;
    this.#done = 0;
    return true;
  }
}

/** Items sorted between two pauses: a millisecond or two, twice as long for texts. */
const SORTED_PER_SLICE = 2_000;

/** Like `toSorted`: stable, too. Merges in two arrays, so that little is left for the garbage collector. */
export function* sortedInSlices<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): CooperativeTask<readonly T[]> {
  if (items.length <= SORTED_PER_SLICE) return items.toSorted(compare);
  let [sorted, merged] = [[...items], [...items]];
  for (let start = 0; start < items.length; start += SORTED_PER_SLICE) {
    const part = items.slice(start, start + SORTED_PER_SLICE).sort(compare);
    for (const [index, item] of part.entries()) sorted[start + index] = item;
    yield;
  }
  const slice = new Slice(SORTED_PER_SLICE);
  for (let width = SORTED_PER_SLICE; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) {
      const middle = Math.min(start + width, items.length);
      const end = Math.min(middle + width, items.length);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        const isLeft = left < middle && (right >= end || compare(sorted[left] as T, sorted[right] as T) <= 0);
        merged[at] = sorted[isLeft ? left++ : right++] as T;
        if (slice.isOver(1)) yield;
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}
