/** Beginning and end are sent unchanged; one summary replaces everything between them. */

import type { PlanBudget } from "../compactionPlan.ts";
import type { CompactionView, ViewItem } from "../compactionView.ts";
import { shareOfBudget } from "../../budgetShare.ts";
import { runsOf, sumOf } from "../itemRuns.ts";
import type { Strategy } from "./strategy.ts";
import { PlanDraft } from "../planDraft.ts";

/** Spec §6, `sandwich`. The summary is used until enough of the middle is beside it, then renewed. */
export const sandwich: Strategy = {
  name: "sandwich",
  *plan(view, budget) {
    const {
      "sandwich.top": topMessages,
      "sandwich.bottom": bottomMessages,
      "sandwich.thresholdPercent": fromPercent,
    } = budget.parameters;
    if (!budget.isForced && budget.usedPercent < fromPercent) return undefined;
    if (view.messages <= topMessages + bottomMessages) return undefined;
    const top = leadingItemCount(topMessages, view.items);
    const bottom = leadingItemCount(bottomMessages, view.items.toReversed());
    const middle = view.items.slice(top, view.items.length - bottom);
    if (!budget.isForced && isStillUsed(middle, budget)) return undefined;
    const runs = runsOf(middle, (item) => !item.isPreserved).filter((run) => !isOneSummary(run));
    yield;
    const draft = new PlanDraft(view, { ...budget, summaryRatio: ratioForRoom(runs, view, budget) });
    for (const run of runs) {
      yield;
      draft.add(run, rereadsOriginals(run, budget) ? "originals" : "coarsest");
    }
    draft.endStep({ strategy: "sandwich", kind: "conversation", model: "small" }, "all");
    return draft.plan();
  },
};

/** True while the summary of the middle goes on being used, with the few messages beside it as they are. */
function isStillUsed(middle: readonly ViewItem[], { budgetTokens }: PlanBudget): boolean {
  const beside = middle.filter((item) => item.kind !== "summary" && !item.isPreserved);
  if (!middle.some(({ kind }) => kind === "summary")) return false;
  return sumOf(beside, "tokens") <= shareOfBudget(budgetTokens, RENEWED_FROM_PERCENT);
}

const RENEWED_FROM_PERCENT = 10;

/** Number of leading items that hold `messages` messages; whole atoms. A summary ends the count. */
function leadingItemCount(messages: number, items: readonly ViewItem[]): number {
  let held = 0;
  const end = items.findIndex((item) => {
    if (held >= messages || item.kind === "summary") return true;
    held += item.messages;
    return false;
  });
  return end === -1 ? items.length : end;
}

/**
 * Whether the summary is rewritten from the originals. For a middle many windows long that would take longer than the
 * user takes to fill the window, and cost more than it saves; it is then made from the previous summary and its facts.
 */
function rereadsOriginals(run: readonly ViewItem[], { budgetTokens }: PlanBudget): boolean {
  return sumOf(run, "originalTokens") <= MOST_BUDGETS_READ_AGAIN * budgetTokens;
}

const MOST_BUDGETS_READ_AGAIN = 2;

/**
 * The ratio at which the summaries of `runs` reach the target or take a quarter of the room beside the rest, whichever
 * is more. By its own ratio the summary of a long middle would fill a small window again and again.
 */
function ratioForRoom(runs: readonly (readonly ViewItem[])[], view: CompactionView, budget: PlanBudget): number {
  const items = runs.flat();
  const restTokens = view.usedTokens - sumOf(items, "tokens") + runs.length * budget.frameTokens;
  const roomTokens = Math.max(budget.targetTokens - restTokens, Math.floor((budget.budgetTokens - restTokens) / 4), 0);
  return Math.min(budget.summaryRatio, roomTokens / Math.max(1, sumOf(items, "originalTokens")));
}

function isOneSummary(run: readonly ViewItem[]): boolean {
  return run.length === 1 && run[0]?.kind === "summary";
}
