/** Lets a task wait for a promise: its value, or what it rejects with is thrown. */

import type { WaitingTask } from "../../core/cooperativeTask.ts";
import { invariant } from "../../core/result.ts";

export function* settled<T>(promise: Promise<T>): WaitingTask<T> {
  const outcomes: PromiseSettledResult<T>[] = [];
  yield Promise.allSettled([promise]).then(([outcome]) => {
    outcomes.push(outcome);
  });
  const [outcome] = outcomes;
  invariant(outcome !== undefined, "who runs a task waits for what it yields");
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
