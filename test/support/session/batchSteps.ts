/** Steps of a tool batch, derived from their commits. */

import type { StoreWrite } from "../../../src/core/store/conversationStore.ts";

/**
 * `stream`: the answer streams. `handOver`: it becomes an open batch. `runStart`: a call is about to run. `effect`: it
 * runs. `result`: it has ended. `enter`: answer and results become history.
 */
export const BATCH_STEPS = ["open", "stream", "handOver", "runStart", "effect", "result", "enter", "close"] as const;

export type BatchStep = (typeof BATCH_STEPS)[number];

/** The step of a commit, if it belongs to a batch. */
export function batchStepOf(writes: readonly StoreWrite[]): BatchStep | undefined {
  for (const write of writes) {
    if (write.kind === "record" && write.record.kind === "message" && write.record.entry.batch !== undefined) {
      return "enter";
    }
    if (write.kind !== "journalRow") continue;
    switch (write.row.eventType) {
      case "batchBegin":
        return "handOver";
      case "batchRun":
        return "runStart";
      case "batchResult":
        return "result";
      default:
        return "stream";
    }
  }
  return undefined;
}
