/** What a switch of the model would do, found out without doing it and without any model call. Spec §8. */

import type { Steps } from "../../cooperativeTask.ts";
import { compactionStage, planCompaction } from "../plan/compactionPlanner.ts";
import type { Cut } from "../cut/buildCut.ts";
import type { CutContext } from "../cut/cutBuilder.ts";
import { estimatedUse } from "../usage/usageOfCut.ts";
import type { RecentMessagesTooLarge } from "../../errors.ts";

/** The effect of a switch. Budgets are tokens of input. */
export type ContextAdaptation =
  | { readonly kind: "noChange" }
  | {
      readonly kind: "shrinking";
      readonly oldBudget: number;
      readonly newBudget: number;
      /** It does not fit the new budget until older messages are summarized. */
      readonly needsSummarization: boolean;
    }
  | {
      readonly kind: "expanding";
      readonly oldBudget: number;
      readonly newBudget: number;
      /** Messages that return as originals. */
      readonly canRestore: number;
    };

/** What becomes of a conversation with another model. */
export type SwitchOutcome =
  /** The next request goes out as the conversation stands. */
  | { readonly kind: "fits" }
  /** Older messages are summarized by themselves. */
  | { readonly kind: "summarized" }
  /** It would have to be summarized, and nothing is summarized by itself: requests are refused until the user does it. */
  | { readonly kind: "stuck"; readonly excessTokens: number }
  /** What is always sent is too large. */
  | { readonly kind: "tooLarge"; readonly error: RecentMessagesTooLarge };

/** What the user is told before a switch: "to X: 61k -> 24k, about 2 calls". */
export interface SwitchPreview {
  readonly adaptation: ContextAdaptation;
  readonly tokensBefore: number;
  /** After what has to be summarized is summarized, as the new model bills it as far as that is known. */
  readonly tokensAfter: number;
  /** Model calls that the summaries take. */
  readonly calls: number;
  readonly outcome: SwitchOutcome;
}

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
  const [oldBudget, newBudget] = [from.budgetTokens, to.budgetTokens];
  if (newBudget === oldBudget) return { kind: "noChange" };
  if (newBudget < oldBudget) {
    return { kind: "shrinking", oldBudget, newBudget, needsSummarization: to.cut.kind !== "ready" };
  }
  return { kind: "expanding", oldBudget, newBudget, canRestore: restoredBy(from.cut, to.cut) };
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
