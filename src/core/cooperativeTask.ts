/** Long work in slices of a few milliseconds, so that whatever else the host has to do comes in between. */

import type { Cancelled } from "./errors.ts";
import type { CancelSignal } from "./cancellation.ts";
import { err, ok, type Result } from "./result.ts";

/** Work that pauses after every few milliseconds and ends with a result. */
export type Steps<T> = Generator<undefined, T>;

/** How pauses are made, and whether to go on after one. */
export interface Pace {
  readonly yieldToHost: () => Promise<void>;
  readonly cancel: CancelSignal;
}

/** Does the work, giving way at each of its pauses. */
export async function inSlices<T>(steps: Steps<T>, { yieldToHost, cancel }: Pace): Promise<Result<T, Cancelled>> {
  for (;;) {
    if (cancel.aborted) return err({ code: "CANCELLED" });
    const step = steps.next();
    if (step.done === true) return ok(step.value);
    await yieldToHost();
  }
}

/** Does the work at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** So many messages are looked at between two pauses: a millisecond or two, and a few where the code is not warm yet. */
export const MESSAGES_A_SLICE = 1_000;

/** Says when a loop has worked long enough: after so many units, whatever a unit is to it. */
export class Slice {
  readonly #most: number;
  #done = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts work that was done; whether it is time for a pause. */
  isOver(units: number): boolean {
    this.#done += units;
    if (this.#done < this.#most) return false;
    this.#done = 0;
    return true;
  }
}
