/**
 * Makes it fit whatever the strategies left: everything that is not always sent in one summary. The limits of the planned
 * summaries are set so that even the longest ones together fit, which is why one plan is always enough.
 */

import { messageId } from "../ids.ts";
import type { CompactionPlan, PlanBudget, PlannedSpan } from "./compactionPlan.ts";
import { sumOf } from "./itemRuns.ts";
import type { CompactionView } from "./compactionView.ts";
import { PlanDraft } from "./planDraft.ts";

/** One summary for everything that may stand in one, as large as there is room for; `undefined` when there is nothing. */
export function collapseAll(view: CompactionView, budget: PlanBudget): CompactionPlan | undefined {
  const items = view.items.filter(({ isKept }) => !isKept);
  const [first] = items;
  if (first === undefined) return undefined;
  const sourceTokens = sumOf(items, "tokens");
  const originalTokens = sumOf(items, "originalTokens");
  const room = budget.budgetTokens - (view.usedTokens - sourceTokens) - budget.frameTokens;
  const largest = Math.min(room, sourceTokens - budget.frameTokens - 1);
  if (largest < 1) return undefined;
  const wanted = Math.max(64, Math.floor(originalTokens * budget.summaryRatio));
  const span: PlannedSpan = {
    covers: { start: first.covers.start, end: messageId(Math.max(...items.map(({ covers }) => covers.end))) },
    level: 1 + Math.max(...items.map(({ level }) => level)),
    from: "coarsest",
    sourceTokens,
    originalTokens,
    targetTokens: Math.min(wanted, largest),
    maxTokens: largest,
  };
  const draft = new PlanDraft(view, budget);
  draft.addSpan(span, items);
  draft.endStep({ strategy: "lastResort", kind: "conversation", model: "small" }, "all");
  return draft.plan();
}

/**
 * The limit of each planned summary of `view`, such that all of them at their limits fit the budget. Those that a later
 * step replaces keep theirs.
 */
export function limitsThatFit(view: CompactionView, budget: PlanBudget): ReadonlyMap<PlannedSpan, number> {
  const planned = view.items.flatMap(({ planned: span }) => (span === undefined ? [] : [span]));
  const wanted = planned.reduce((sum, span) => sum + span.maxTokens - span.targetTokens, 0);
  const slack = budget.budgetTokens - view.usedTokens;
  const share = wanted <= slack ? 1 : Math.max(0, slack) / wanted;
  return new Map(
    planned.map((span) => [span, span.targetTokens + Math.floor((span.maxTokens - span.targetTokens) * share)]),
  );
}
