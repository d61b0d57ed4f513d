/** The beginning and the end stay as they are; one summary stands for all between them. */

import type { PlanBudget } from "../compactionPlan.ts";
import type { CompactionView, ViewItem } from "../compactionView.ts";
import { runsOf, sumOf } from "../itemRuns.ts";
import type { Strategy } from "./strategy.ts";
import { PlanDraft } from "../planDraft.ts";

/** Spec §6, `sandwich`. The summary is used as long as it covers exactly the middle, and is then made anew. */
export const sandwich: Strategy = {
  name: "sandwich",
  plan(view, budget) {
    if (!budget.isForced && budget.usedPercent < FROM_PERCENT) return undefined;
    if (view.messages <= TOP + BOTTOM) return undefined;
    const top = atLeast(TOP, view.items);
    const bottom = atLeast(BOTTOM, view.items.toReversed());
    const middle = view.items.slice(top, view.items.length - bottom);
    const runs = runsOf(middle, (item) => !item.isPreserved).filter((run) => !isOneSummary(run));
    const draft = new PlanDraft(view, { ...budget, summaryRatio: ratioWithin(runs, view, budget) });
    for (const run of runs) draft.add(run, isReadAgain(run, budget) ? "originals" : "coarsest");
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

/**
 * Whether the originals are read again. Of a middle many windows long that would take longer than the user takes to fill the
 * window, and cost more than the summary saves; it is then made from the summary before it, with the facts that stand there.
 */
function isReadAgain(run: readonly ViewItem[], { budgetTokens }: PlanBudget): boolean {
  return sumOf(run, "originalTokens") <= MOST_BUDGETS_READ_AGAIN * budgetTokens;
}

const MOST_BUDGETS_READ_AGAIN = 2;

/**
 * The ratio at which the summaries of `runs` bring the use down to the target, or take a quarter of what could be sent besides
 * the rest, where that is more. By its own ratio the summary of a long middle would fill a small window again and again.
 */
function ratioWithin(runs: readonly (readonly ViewItem[])[], view: CompactionView, budget: PlanBudget): number {
  const items = runs.flat();
  const restTokens = view.usedTokens - sumOf(items, "tokens") + runs.length * budget.frameTokens;
  const roomTokens = Math.max(budget.targetTokens - restTokens, Math.floor((budget.budgetTokens - restTokens) / 4), 0);
  return Math.min(budget.summaryRatio, roomTokens / Math.max(1, sumOf(items, "originalTokens")));
}

function isOneSummary(run: readonly ViewItem[]): boolean {
  return run.length === 1 && run[0]?.kind === "summary";
}
