/** What a switch of the model would do, found out without doing it and without any model call. Spec §8. */

import { planCompaction } from "./compactionPlanner.ts";
import { contextAdaptation, type ContextAdaptation, type SwitchPreview } from "./contextAdaptation.ts";
import type { Cut } from "./cut.ts";
import type { CutContext } from "./cutSource.ts";
import { estimatedUse } from "./usageOfCut.ts";

/** A conversation with one model: its cut and the budget it was made for. */
export interface CutForBudget {
  readonly cut: Cut;
  readonly budgetTokens: number;
}

/** The effect of going from one cut to another. */
export function adaptationBetween(from: CutForBudget, to: CutForBudget): ContextAdaptation {
  const before = originalsIn(from.cut);
  const restored = [...originalsIn(to.cut)].filter((id) => !before.has(id));
  return contextAdaptation({
    oldBudget: from.budgetTokens,
    newBudget: to.budgetTokens,
    needsSummarization: to.cut.kind !== "ready",
    canRestore: restored.length,
  });
}

/**
 * The effect of going on in `next`, with `cut`; what has to be summarized is planned, so that its result and its calls are
 * known.
 */
export function previewSwitch(
  from: CutForBudget & { readonly usedTokens: number },
  next: CutContext,
  cut: Cut,
): SwitchPreview {
  const adaptation = adaptationBetween(from, { cut, budgetTokens: next.model.budgetTokens });
  const estimatedTokens = estimatedUse(cut);
  const preview = { adaptation, tokensBefore: from.usedTokens, tokensAfter: estimatedTokens, calls: 0 };
  if (cut.kind === "tooLarge") return { ...preview, tooLarge: cut.error };
  if (cut.kind === "ready") return preview;
  const settings = { ...next.settings, infinity: true };
  const plan = planCompaction("modelSwitch", { ...next, settings, usedTokens: estimatedTokens, estimatedTokens });
  return plan === undefined ? preview : { ...preview, tokensAfter: plan.projectedTokens, calls: plan.steps.length };
}

function originalsIn(cut: Cut): ReadonlySet<number> {
  if (cut.kind !== "ready") return new Set();
  return new Set(cut.context.segments().flatMap((segment) => (segment.kind === "original" ? [segment.id] : [])));
}
