/**
 * Builds a working context from nothing, in the steps of spec §4: reserve what is always sent, keep the whole story in its
 * coarsest form, spend what is left newest first, assemble oldest first. Takes time in proportion to the history, so it
 * runs only when the cut has to change; in between, `StickyCut` appends.
 */

import type { RecentMessagesTooLarge, RequestPart } from "../errors.ts";
import { assembleCut } from "./assembleCut.ts";
import { planExcerpts } from "./excerpts.ts";
import type { Blocks, CutRequest } from "./cutRequest.ts";
import { FinestMix } from "./finestMix.ts";
import { keptMessages } from "./keptMessages.ts";
import { messagesThatDoNotFit } from "./messagesThatDoNotFit.ts";
import { recentTooLarge } from "./recentTooLarge.ts";
import { SpareCosts } from "./spareCosts.ts";
import { summarizationNeeded, type SummarizationNeeded } from "./summarizationNeeded.ts";
import { sumOfParts } from "./tokenCosts.ts";
import type { WorkingContext } from "./workingContext.ts";

/** A cut that fits, or why there is none. */
export type Cut =
  | { readonly kind: "ready"; readonly context: WorkingContext }
  /** `requiredTokens`: the whole request with all summaries used. */
  | { readonly kind: "needed"; readonly needed: SummarizationNeeded; readonly requiredTokens: number }
  | { readonly kind: "tooLarge"; readonly error: RecentMessagesTooLarge };

/** Content of the smallest summary that can stand for a whole story. Spec §5. */
export const SMALLEST_SUMMARY_TOKENS = 64;

/** Builds the cut that `request` asks for. */
export function buildCut(request: CutRequest): Cut {
  const { history, costs, budgetTokens, entries, overhead } = request;
  const kept = keptMessages(history, entries, request.preserveRecent);
  const spare = new SpareCosts(history, costs, { kept, end: entries });
  const roots = history.usableSummaries(request.summaries);
  const mix = new FinestMix({
    originals: (range) => spare.between(range),
    summary: ({ summary }) => costs.ofSummary(summary.tokenCount),
    mayRefine: ({ summary }) => summary.id < request.restorable,
  });
  const covered = sum(roots, ({ summary }) => spare.between(summary.covers));
  const story = sum(roots, (node) => mix.coarsest(node));
  const older = story + spare.between({ start: 0, end: entries }) - covered;

  // However large the fixed part is, the rest of the conversation keeps room for one summary of it.
  const floor = Math.min(older, costs.summaryFrame + SMALLEST_SUMMARY_TOKENS);
  const fixed = sumOfParts(overhead) + sum(spare.keptEntries, ({ tokens }) => costs.ofMessage(tokens));
  const need = { excessTokens: fixed + floor - budgetTokens, budgetTokens };
  const planned = planExcerpts(spare.keptEntries, costs, need);
  const saved = sum(planned, ({ entry, tokens }) => costs.ofMessage(entry.tokens) - tokens);
  const blocks: Blocks = {
    spare,
    roots,
    mix,
    excerpts: new Map(planned.map(({ entry, tokens }) => [entry.id, tokens])),
  };

  const required = fixed - saved;
  if (required + floor > budgetTokens) return { kind: "tooLarge", error: tooLarge(request, blocks, floor) };
  const whole = required + older;
  if (whole > budgetTokens) {
    const messages = messagesThatDoNotFit(request, blocks, budgetTokens - required - story);
    return { kind: "needed", needed: summarizationNeeded(whole - budgetTokens, messages), requiredTokens: whole };
  }
  mix.refine(roots, Math.min(request.fillTokens, budgetTokens) - whole);
  return { kind: "ready", context: assembleCut(request, blocks) };
}

function tooLarge(
  { history, costs, overhead, budgetTokens }: CutRequest,
  blocks: Blocks,
  floor: number,
): RecentMessagesTooLarge {
  const { keptEntries } = blocks.spare;
  const messages = keptEntries.map(({ id, tokens }): RequestPart => {
    const kind = history.pins.has(id) ? "pinned" : "message";
    return { kind, label: `message ${String(id)}`, tokens: blocks.excerpts.get(id) ?? costs.ofMessage(tokens) };
  });
  const story: RequestPart = { kind: "message", label: "summary of the earlier messages", tokens: floor };
  return recentTooLarge(budgetTokens, [...overhead, ...messages, ...(floor > 0 ? [story] : [])], messages.length);
}

function sum<T>(items: readonly T[], tokensOf: (item: T) => number): number {
  return items.reduce((total, item) => total + tokensOf(item), 0);
}
