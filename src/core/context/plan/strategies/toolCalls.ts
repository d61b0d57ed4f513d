/** Summarizes old tool batches: calls and outcomes are preserved, the bulk of the results is not. */

import { MESSAGES_PER_SLICE, Slice } from "../../../cooperativeTask.ts";
import { runsOf } from "../itemRuns.ts";
import type { Strategy } from "./strategy.ts";
import { PlanDraft } from "../planDraft.ts";

/** Spec §6, `toolCalls`. All old batches in one model call, one summary for each contiguous run. */
export const toolCalls: Strategy = {
  name: "toolCalls",
  *plan(view, budget) {
    const { lastTurn } = view;
    const draft = new PlanDraft(view, budget);
    const runs = runsOf(
      view.items,
      (item) => item.kind === "toolBatch" && !item.isPreserved && lastTurn - item.lastTurn > budget.toolCallTurnAge,
    );
    const slice = new Slice(MESSAGES_PER_SLICE);
    for (const run of runs) {
      if (slice.isOver(run.length)) yield;
      draft.add(run);
    }
    draft.endStep({ strategy: "toolCalls", kind: "toolCalls", model: "small" }, "all");
    return draft.plan();
  },
};
