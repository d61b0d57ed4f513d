/** Summarizes old tool batches: calls and outcomes are preserved, the bulk of the results is not. */

import { runsOf } from "../itemRuns.ts";
import type { Strategy } from "./strategy.ts";
import { PlanDraft } from "../planDraft.ts";

/** Spec §6, `toolCalls`. All old batches in one model call, one summary for each contiguous run. */
export const toolCalls: Strategy = {
  name: "toolCalls",
  plan(view, budget) {
    const { lastTurn } = view;
    const draft = new PlanDraft(view, budget);
    const runs = runsOf(
      view.items,
      (item) => item.kind === "toolBatch" && !item.isPreserved && lastTurn - item.lastTurn > budget.toolCallTurnAge,
    );
    for (const run of runs) draft.add(run);
    draft.endStep({ strategy: "toolCalls", kind: "toolCalls", model: "small" }, "all");
    return draft.plan();
  },
};
