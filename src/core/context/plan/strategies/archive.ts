/** The main model writes down everything but the newest messages, as notes to continue the work from. */

import { runsOf } from "../itemRuns.ts";
import type { Strategy } from "./strategy.ts";
import { PlanDraft } from "../planDraft.ts";

export const archive: Strategy = {
  name: "archive",
  *plan(view, budget) {
    if (!budget.isForced && budget.usedPercent < budget.parameters["archive.thresholdPercent"]) return undefined;
    const draft = new PlanDraft(view, budget);
    for (const run of runsOf(view.items, (item) => !item.isPreserved)) {
      const isArchived = run.length === 1 && run[0]?.kind === "summary";
      if (isArchived) continue;
      yield;
      draft.add(run);
    }
    draft.endStep({ strategy: "archive", kind: "archive", model: "main" }, "one");
    return draft.plan();
  },
};
