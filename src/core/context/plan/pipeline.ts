/** Runs strategies in order, each on the result of those before it, until the projected use reaches the target. */

import { lowerBound } from "../../history/lowerBound.ts";
import { contains } from "../../history/summaries/summaryForest.ts";
import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import type { CompactionPlan, PlanBudget, PlannedSpan, PlannedStep } from "./compactionPlan.ts";
import type { Strategy } from "./strategies/strategy.ts";
import type { CompactionView, ViewItem } from "./compactionView.ts";
import { collapseAll, limitsThatFit } from "./lastResort.ts";
import { CHUNK_TOKENS } from "./itemRuns.ts";
import { regrown } from "./regrown.ts";
import { mergeLevels, mergeMixedLevels } from "./mergeLevels.ts";
import { PlanDraft } from "./planDraft.ts";
import { shareOfBudget } from "../budgetShare.ts";

/** The combined plan of all strategies; `undefined` if there is nothing to do. It fits the budget if anything can. */
export function* runPipeline(
  strategies: readonly Strategy[],
  view: CompactionView,
  budget: PlanBudget,
): CooperativeTask<CompactionPlan | undefined> {
  const isDone = isNearTarget(view, budget);
  if (isDone && !budget.isByUser) return undefined;
  const steps: PlannedStep[] = [];
  let projected = view;
  function* add(plan: CompactionPlan | undefined): CooperativeTask<void> {
    yield;
    if (plan === undefined) return;
    steps.push(...plan.steps);
    projected = yield* after(plan, projected, budget);
    yield;
  }
  for (const strategy of strategies) {
    if (projected.usedTokens <= budget.targetTokens && !budget.isByUser) break;
    if (strategy.plan !== undefined) yield* add(yield* strategy.plan(projected, budget));
  }
  if (steps.length > 0 || (budget.isForced && !isDone)) yield* add(yield* levelUp(projected, budget));
  if (projected.usedTokens > budget.budgetTokens) return collapseAll(view, budget);
  if (steps.length === 0) return undefined;
  if (!isWorthIt(view, projected, budget)) {
    if (!budget.isForced) return undefined;
    const instead = collapseAll(view, budget);
    if (instead !== undefined && freesEnough(projected.usedTokens, instead.projectedTokens, budget)) return instead;
  }
  yield* add(yield* regrown(projected, budget));
  const limits = limitsThatFit(projected, budget);
  return {
    projectedTokens: projected.usedTokens,
    steps: (isOneCall(view, budget) ? withoutReplaced(steps) : steps).map((step) => ({
      ...step,
      spans: step.spans.map((span) => ({ ...span, maxTokens: limits.get(span) ?? span.maxTokens })),
    })),
  };
}

/** True if a model with such a window reads all of it in one call: not where a long conversation was imported. */
function isOneCall({ usedTokens }: CompactionView, { budgetTokens, isSmall = false }: PlanBudget): boolean {
  return isSmall && usedTokens <= shareOfBudget(budgetTokens, 125);
}

/**
 * Without the summaries that a later step would replace at once: that is made from their sources, in one call instead of
 * two.
 */
function withoutReplaced(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  return steps.flatMap((step, index): readonly PlannedStep[] => {
    const later = steps.slice(index + 1).flatMap(({ spans }) => spans);
    const spans = step.spans.filter(({ covers }) => !later.some((other) => contains(other.covers, covers)));
    return spans.length === 0 ? [] : [{ ...step, spans }];
  });
}

/**
 * Whether an earlier plan may have ended here: a summary may be longer than its target, which is no reason for another
 * plan while the request fits. The user's order still summarizes what is in no summary yet.
 */
function isNearTarget({ usedTokens }: CompactionView, budget: PlanBudget): boolean {
  const { budgetTokens, targetTokens, usedPercent, isForced } = budget;
  if (!isForced || usedPercent > 100 || usedTokens > budgetTokens) return false;
  return usedTokens > targetTokens && usedTokens - targetTokens < shareOfBudget(budgetTokens, NEAR_TARGET_PERCENT);
}

/** Use this far above the target counts as on target. */
const NEAR_TARGET_PERCENT = 10;

/**
 * Whether a plan frees enough that the next one is not due soon: each compaction has the whole prompt read anew, so one
 * large step is better than many small ones. A plan that frees too little waits until there is more of its kind or
 * nothing fits any more; if it must fit now, everything becomes one summary instead.
 */
function isWorthIt(view: CompactionView, projected: CompactionView, budget: PlanBudget): boolean {
  return projected.usedTokens <= budget.targetTokens || freesEnough(view.usedTokens, projected.usedTokens, budget);
}

function freesEnough(before: number, after: number, { leastFreedTokens = 0 }: PlanBudget): boolean {
  return before - after >= leastFreedTokens;
}

/** Merges the oldest summaries, level by level, until the target is reached. */
function* levelUp(view: CompactionView, budget: PlanBudget): CooperativeTask<CompactionPlan | undefined> {
  const draft = new PlanDraft(view, budget);
  const merged = { strategy: "levelUp", kind: "conversation" } as const;
  yield* mergeLevels(draft, { ...merged, highestLevel: Infinity, chunkTokens: CHUNK_TOKENS });
  // If it still does not fit, the last resort does it in one call.
  if ((yield* draft.view()).usedTokens <= budget.budgetTokens) {
    yield* mergeMixedLevels(draft, {
      ...merged,
      leastSavedTokens: shareOfBudget(budget.budgetTokens, LEAST_SAVED_PERCENT),
    });
  }
  return draft.plan();
}

/** Below this, rewriting summaries of different levels is not worth a call. */
const LEAST_SAVED_PERCENT = 5;

function* after(plan: CompactionPlan, view: CompactionView, budget: PlanBudget): CooperativeTask<CompactionView> {
  const draft = new PlanDraft(view, budget);
  const slice = new Slice(MESSAGES_PER_SLICE);
  let end = 0;
  for (const span of plan.steps.flatMap(({ spans }) => spans)) {
    // Spans are in ascending order until a higher level begins, which builds on those before.
    const items = span.covers.start >= end ? draft.appliedItems : (yield* draft.view()).items;
    const covered = coveredBy(span, items);
    draft.addSpan(span, covered);
    if (slice.isOver(covered.length)) yield;
    end = span.covers.end;
  }
  return yield* draft.view();
}

/** The items that a span replaces; `items` are sorted by start. */
function coveredBy({ covers: { start, end } }: PlannedSpan, items: readonly ViewItem[]): readonly ViewItem[] {
  const found: ViewItem[] = [];
  for (let at = lowerBound(items, (item) => item.covers.start < start); at < items.length; at++) {
    const item = items[at];
    if (item === undefined || item.covers.start >= end) break;
    if (!item.isPreserved && item.covers.end <= end) found.push(item);
  }
  return found;
}
