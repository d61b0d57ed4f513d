/** What a switch of the model does to the context. Spec §8. */

import type { RecentMessagesTooLarge } from "../errors.ts";

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

/** Compares two budgets, and what a conversation does in them. */
export function contextAdaptation(change: {
  readonly oldBudget: number;
  readonly newBudget: number;
  readonly needsSummarization: boolean;
  readonly canRestore: number;
}): ContextAdaptation {
  const { oldBudget, newBudget, needsSummarization, canRestore } = change;
  if (newBudget < oldBudget) return { kind: "shrinking", oldBudget, newBudget, needsSummarization };
  if (newBudget > oldBudget) return { kind: "expanding", oldBudget, newBudget, canRestore };
  return { kind: "noChange" };
}
