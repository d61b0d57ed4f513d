/** Predicts a model switch, without making it and without model calls. Spec §8. */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import { compactionStage, planCompaction } from "../plan/compactionPlanner.ts";
import type { Cut } from "../cut/buildCut.ts";
import type { CutContext } from "../cut/cutBuilder.ts";
import { recalledBeside } from "../recalled/recalledSegment.ts";
import { estimatedUse } from "../usage/usageOfCut.ts";
import type { WorkingContext } from "../cut/workingContext.ts";
import type { RecentMessagesTooLarge } from "../../errors.ts";

/** Budgets are input tokens. */
export type ContextAdaptation =
  | { readonly kind: "noChange" }
  | {
      readonly kind: "shrinking";
      readonly oldBudget: number;
      readonly newBudget: number;
      /** Does not fit the new budget until older messages are summarized. */
      readonly needsSummarization: boolean;
    }
  | {
      readonly kind: "expanding";
      readonly oldBudget: number;
      readonly newBudget: number;
      /** Number of messages that are sent as originals again. */
      readonly canRestore: number;
    };

export type SwitchOutcome =
  /** `excerpts`: number of messages of which only an excerpt fits. */
  | { readonly kind: "fits"; readonly excerpts: number }
  /** Older messages are summarized automatically. */
  | { readonly kind: "summarized" }
  /** Needs a summary, but none is made automatically: requests are refused until the user makes one. */
  | { readonly kind: "stuck"; readonly excessTokens: number }
  /** What is always sent exceeds the budget. */
  | { readonly kind: "tooLarge"; readonly error: RecentMessagesTooLarge };

/** Shown before a switch: "to X: 61k -> 24k, about 2 calls". */
export interface SwitchPreview {
  readonly adaptation: ContextAdaptation;
  readonly tokensBefore: number;
  /** After the necessary summaries, as billed by the new model as far as known. */
  readonly tokensAfter: number;
  /** Number of model calls for the summaries. */
  readonly calls: number;
  readonly outcome: SwitchOutcome;
}

export interface CutForBudget {
  readonly cut: Cut;
  readonly budgetTokens: number;
}

/** `usedTokens` are as billed, as far as known. */
export interface MeasuredCut {
  readonly cut: Cut;
  readonly usedTokens: number;
}

export function adaptationBetween(from: CutForBudget, to: CutForBudget): ContextAdaptation {
  const [oldBudget, newBudget] = [from.budgetTokens, to.budgetTokens];
  if (newBudget === oldBudget) return { kind: "noChange" };
  if (newBudget < oldBudget) {
    return { kind: "shrinking", oldBudget, newBudget, needsSummarization: to.cut.kind !== "ready" };
  }
  return { kind: "expanding", oldBudget, newBudget, canRestore: restoredBy(from.cut, to.cut) };
}

/**
 * Predicts a switch to `next`, whose cut is the last argument. Uses the token counts that decide whether compaction is
 * due, and plans a due one as it will be planned then, so that its result and its calls are known.
 */
export function* previewSwitch(
  from: CutForBudget & MeasuredCut,
  next: CutContext,
  { cut, usedTokens }: MeasuredCut,
): CooperativeTask<SwitchPreview> {
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
    const { history, model } = next;
    // A plan does not count on it: what is recalled is only sent where there is room.
    const recalled = recalledBeside({ ...model, history }, history.length, budgetTokens)?.mostTokens ?? 0;
    const tokensAfter = Math.round(((plan.projectedTokens + recalled) * usedTokens) / Math.max(1, estimatedTokens));
    return { ...preview, tokensAfter, calls: plan.steps.length, outcome: { kind: "summarized" } };
  }
  if (cut.kind === "ready") return { ...preview, outcome: { kind: "fits", excerpts: excerptsIn(cut.context) } };
  return { ...preview, outcome: { kind: "stuck", excessTokens: cut.needed.excessTokens } };
}

function excerptsIn(context: WorkingContext): number {
  return context.segments().filter(({ kind }) => kind === "excerpt").length;
}

/** Number of messages that are originals in `to` but not in `from`. */
function restoredBy(from: Cut, to: Cut): number {
  const before = originalsIn(from);
  return [...originalsIn(to)].filter((id) => !before.has(id)).length;
}

function originalsIn(cut: Cut): ReadonlySet<number> {
  if (cut.kind !== "ready") return new Set();
  return new Set(cut.context.segments().flatMap((segment) => (segment.kind === "original" ? [segment.id] : [])));
}
