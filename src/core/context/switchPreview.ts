/** What a switch of the model would do, found out without doing it and without any model call. Spec §8. */

import type { Steps } from "../steps.ts";
import { compactionStage, planCompaction } from "./compactionPlanner.ts";
import { contextAdaptation, type ContextAdaptation, type SwitchPreview } from "./contextAdaptation.ts";
import type { Cut } from "./cut.ts";
import type { CutContext } from "./cutSource.ts";
import { estimatedUse } from "./usageOfCut.ts";

/** A conversation with one model: its cut and the budget it was made for. */
export interface CutForBudget {
  readonly cut: Cut;
  readonly budgetTokens: number;
}

/** A cut with its tokens as they are billed, as far as that is known. */
export interface MeasuredCut {
  readonly cut: Cut;
  readonly usedTokens: number;
}

/** The effect of going from one cut to another. */
export function adaptationBetween(from: CutForBudget, to: CutForBudget): ContextAdaptation {
  return contextAdaptation({
    oldBudget: from.budgetTokens,
    newBudget: to.budgetTokens,
    needsSummarization: to.cut.kind !== "ready",
    canRestore: from.budgetTokens < to.budgetTokens ? restoredBy(from.cut, to.cut) : 0,
  });
}

/**
 * The effect of going on in `next`, with `there`. Tokens are those that count when it is decided what is due; what is to be
 * summarized is planned as it will be then, so that its result and its calls are known.
 */
export function* previewSwitch(
  from: CutForBudget & MeasuredCut,
  next: CutContext,
  { cut, usedTokens }: MeasuredCut,
): Steps<SwitchPreview> {
  const { budgetTokens } = next.model;
  const adaptation = adaptationBetween(from, { cut, budgetTokens });
  yield;
  const preview = { adaptation, tokensBefore: from.usedTokens, tokensAfter: usedTokens, calls: 0 };
  if (cut.kind === "tooLarge") return { ...preview, outcome: { kind: "tooLarge", error: cut.error } };
  const estimatedTokens = estimatedUse(cut);
  const state = { ...next, usedTokens, estimatedTokens };
  const fits = cut.kind === "ready" && usedTokens <= budgetTokens;
  const isDue = !fits || compactionStage(state) === "apply";
  const plan = isDue ? yield* planCompaction(fits ? "background" : "modelSwitch", state) : undefined;
  if (plan !== undefined) {
    const tokensAfter = Math.round((plan.projectedTokens * usedTokens) / Math.max(1, estimatedTokens));
    return { ...preview, tokensAfter, calls: plan.steps.length, outcome: { kind: "summarized" } };
  }
  if (cut.kind === "ready") return { ...preview, outcome: { kind: "fits" } };
  return { ...preview, outcome: { kind: "stuck", excessTokens: cut.needed.excessTokens } };
}

/** How many messages that stand in a summary with one cut are originals with the other. */
function restoredBy(from: Cut, to: Cut): number {
  const before = originalsIn(from);
  return [...originalsIn(to)].filter((id) => !before.has(id)).length;
}

function originalsIn(cut: Cut): ReadonlySet<number> {
  if (cut.kind !== "ready") return new Set();
  return new Set(cut.context.segments().flatMap((segment) => (segment.kind === "original" ? [segment.id] : [])));
}
