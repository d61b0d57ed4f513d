/** A history seen as what is always sent, what is summarized, and the rest; steps 1 to 3 of spec §4. */

import type { SummaryNode } from "../history/summaryForest.ts";
import type { Steps } from "../steps.ts";
import type { CutRequest } from "./cutRequest.ts";
import { planExcerpts, type PlannedExcerpts } from "./excerpts.ts";
import { FinestMix } from "./finestMix.ts";
import { keptMessages } from "./keptMessages.ts";
import { SMALLEST_SUMMARY_TOKENS } from "./smallestSummary.ts";
import { SpareCosts } from "./spareCosts.ts";
import { sumOfParts } from "./tokenCosts.ts";

/** The parts of a history for one budget. */
export interface Blocks {
  readonly spare: SpareCosts;
  /** The outermost summaries, oldest first. */
  readonly roots: readonly SummaryNode[];
  readonly mix: FinestMix;
  /** The kept messages whose tool results have to be cut. */
  readonly excerpts: PlannedExcerpts;
  /** What every request costs: overhead and kept messages, cut where they have to be. */
  readonly requiredTokens: number;
  /** The summarized blocks in their coarsest form. */
  readonly storyTokens: number;
  /** These and all messages in no summary. */
  readonly olderTokens: number;
  /** Room that the older part needs however large the rest is: one summary of it. */
  readonly floorTokens: number;
}

/** Divides the history of `request`. */
export function* blocksOf(request: CutRequest): Steps<Blocks> {
  const { history, costs, budgetTokens, entries, overhead } = request;
  const kept = keptMessages(history, entries, request.preserveRecent);
  const spare = yield* SpareCosts.of(history, costs, { kept, end: entries });
  const roots = history.usableSummaries(request.summaries);
  const mix = new FinestMix({
    originals: (range) => spare.between(range),
    summary: ({ summary }) => costs.ofSummary(summary.tokenCount),
    mayRefine: ({ summary }) => summary.id < request.restorable,
  });
  const coveredTokens = sum(roots, ({ summary }) => spare.between(summary.covers));
  const storyTokens = sum(roots, (node) => mix.coarsest(node));
  const olderTokens = storyTokens + spare.between({ start: 0, end: entries }) - coveredTokens;
  const floorTokens = Math.min(olderTokens, costs.summaryFrame + SMALLEST_SUMMARY_TOKENS);

  const fixed = sumOfParts(overhead) + sum(spare.keptEntries, (entry) => costs.ofEntry(entry));
  const excessTokens = fixed + floorTokens - budgetTokens;
  const excerpts = planExcerpts(spare.keptEntries, costs, { excessTokens, budgetTokens });
  const requiredTokens = fixed - excerpts.savedTokens;
  return { spare, roots, mix, excerpts, requiredTokens, storyTokens, olderTokens, floorTokens };
}

function sum<T>(items: readonly T[], tokensOf: (item: T) => number): number {
  return items.reduce((total, item) => total + tokensOf(item), 0);
}
