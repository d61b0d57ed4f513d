/** The beginning and the end stay as they are; one summary stands for all between them. */

import { runsOf } from "../itemRuns.ts";
import type { Strategy } from "../strategy.ts";
import type { ViewItem } from "../compactionView.ts";
import { PlanDraft } from "../planDraft.ts";

/** Spec §6, `sandwich`. The summary is used as long as it covers exactly the middle, and is then made anew from the originals. */
export const sandwich: Strategy = {
  name: "sandwich",
  plan(view, budget) {
    if (!budget.isForced && budget.usedPercent < FROM_PERCENT) return undefined;
    if (view.messages <= TOP + BOTTOM) return undefined;
    const draft = new PlanDraft(view, budget);
    const top = atLeast(TOP, view.items);
    const bottom = atLeast(BOTTOM, view.items.toReversed());
    const middle = view.items.slice(top, view.items.length - bottom);
    for (const run of runsOf(middle, (item) => !item.isKept)) {
      if (!isOneSummary(run)) draft.add(run, "originals");
    }
    draft.endStep({ strategy: "sandwich", kind: "conversation", model: "small" }, "all");
    return draft.plan();
  },
};

const TOP = 5;
const BOTTOM = 5;
const FROM_PERCENT = 70;

/** How many items from the beginning hold so many messages; whole atoms. A summary is no message that was kept. */
function atLeast(messages: number, items: readonly ViewItem[]): number {
  let held = 0;
  const end = items.findIndex((item) => {
    if (held >= messages || item.kind === "summary") return true;
    held += item.messages;
    return false;
  });
  return end === -1 ? items.length : end;
}

function isOneSummary(run: readonly ViewItem[]): boolean {
  return run.length === 1 && run[0]?.kind === "summary";
}
