/**
 * Makes the request fit where the strategies did not: one summary of everything that is not always sent. The limits of
 * planned summaries are set so that even the longest ones together fit: one plan is always enough.
 */

import { shareOfBudget } from "../budgetShare.ts";
import type { CompactionPlan, PlanBudget, PlannedSpan } from "./compactionPlan.ts";
import { endOf, levelOf, sumOf } from "./itemRuns.ts";
import type { CompactionView } from "./compactionView.ts";
import { PlanDraft } from "./planDraft.ts";
import { SMALLEST_SUMMARY_TOKENS } from "../tokenCosts.ts";

/**
 * One summary of everything compressible; `undefined` if there is nothing. Aims at the target, but at no less than a
 * quarter of the room, and may take half of what is left beyond, so that the next message fits too.
 */
export function collapseAll(view: CompactionView, budget: PlanBudget): CompactionPlan | undefined {
  const items = view.items.filter(({ isPreserved }) => !isPreserved);
  const [first] = items;
  if (first === undefined) return undefined;
  const sourceTokens = sumOf(items, "tokens");
  const originalTokens = sumOf(items, "originalTokens");
  const restTokens = view.usedTokens - sourceTokens + budget.frameTokens;
  const largest = Math.min(budget.budgetTokens - restTokens, sourceTokens - budget.frameTokens - 1);
  if (largest < SMALLEST_SUMMARY_TOKENS) return undefined;
  const aim = Math.max(budget.targetTokens - restTokens, Math.floor(largest / 4));
  const wanted = Math.floor(originalTokens * budget.summaryRatio);
  const targetTokens = Math.min(largest, Math.max(SMALLEST_SUMMARY_TOKENS, Math.min(wanted, aim)));
  const span: PlannedSpan = {
    covers: { start: first.covers.start, end: endOf(items) },
    level: 1 + levelOf(items),
    from: "coarsest",
    sourceTokens,
    originalTokens,
    targetTokens,
    maxTokens: targetTokens + Math.floor((largest - targetTokens) / 2),
  };
  const draft = new PlanDraft(view, budget);
  draft.addSpan(span, items);
  draft.endStep({ strategy: "lastResort", kind: "conversation", model: "small" }, "all");
  return draft.plan();
}

/** In a small window summaries that exceed their targets would soon fill it again. */
function slackOf({ usedTokens }: CompactionView, { budgetTokens, isSmall = false }: PlanBudget): number {
  const slack = budgetTokens - usedTokens;
  return isSmall ? Math.min(slack, shareOfBudget(budgetTokens, SMALL_WINDOW_SLACK_PERCENT)) : slack;
}

const SMALL_WINDOW_SLACK_PERCENT = 18;

/**
 * Limits of the planned summaries of `view` with which all together fit the budget. Those that a later step replaces
 * retain theirs.
 */
export function limitsThatFit(view: CompactionView, budget: PlanBudget): ReadonlyMap<PlannedSpan, number> {
  const planned = view.items.flatMap(({ planned: span }) => (span === undefined ? [] : [span]));
  const wanted = planned.reduce((sum, span) => sum + span.maxTokens - span.targetTokens, 0);
  const slack = slackOf(view, budget);
  const share = wanted <= slack ? 1 : Math.max(0, slack) / wanted;
  return new Map(
    planned.map((span) => [span, span.targetTokens + Math.floor((span.maxTokens - span.targetTokens) * share)]),
  );
}
