/** What a summary is made from: messages, and summaries of lower levels with their facts; never text of unknown origin. */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { MessageRange } from "../../history/summaries/summary.ts";
import { outermostInside } from "../../history/summaries/summaryForest.ts";
import type { MessageId, SummaryId } from "../../ids.ts";
import type { CutContext } from "../cut/cutBuilder.ts";
import { isPreserved, preservedMessages } from "../cut/preservedMessages.ts";
import type { TokenCosts } from "../tokenCosts.ts";

/** A piece of what is to be summarized. */
export type SummarySource =
  { readonly kind: "message"; readonly id: MessageId } | { readonly kind: "summary"; readonly id: SummaryId };

/** The pieces, oldest first: all that is visible in the range; and what they take of the request that they will not after. */
export interface SummarySources {
  readonly sources: readonly SummarySource[];
  readonly sourceTokens: number;
  /** Cost of the messages that the summary would stand for. */
  readonly originalTokens: number;
}

/** What a summary is begun with. */
export interface SummarizationScope {
  readonly history: FullHistory;
  readonly costs: TokenCosts;
  readonly summaryRatio: number;
  /** Whether a message is always sent as it is, and so needs no summary. */
  readonly isPreserved: (id: MessageId) => boolean;
}

/** The scope of the conversation as it is now. */
export function summarizationScope({ history, model, settings }: CutContext): SummarizationScope {
  const { preserveRecent, summaryRatio } = settings;
  const preserved = preservedMessages(history, history.length, preserveRecent);
  return { history, costs: model.costs, summaryRatio, isPreserved: (id) => isPreserved(preserved, id) };
}

/** The coarsest pieces of a range from which a summary of `level` can be made; of level 1 from the originals alone. */
export function summarySources(
  { covers, level }: { readonly covers: MessageRange; readonly level: number },
  { history, costs, isPreserved }: SummarizationScope,
): SummarySources {
  const sources: SummarySource[] = [];
  let sourceTokens = 0;
  let originalTokens = 0;
  const addMessages = (start: number, end: number, isSource: boolean): void => {
    for (const entry of history.entries.slice(start, end)) {
      if (!history.isVisible(entry)) continue;
      // What is sent beside the summary is read all the same: when it is preserved no longer, the summary stands for it, too.
      if (isSource) sources.push({ kind: "message", id: entry.id });
      if (isPreserved(entry.id)) continue;
      const cost = costs.ofEntry(entry);
      originalTokens += cost;
      if (isSource) sourceTokens += cost;
    }
  };
  const parts = level === 1 ? [] : outermostInside(covers, level, history.usableSummaries());
  let at: number = covers.start;
  for (const { summary } of parts) {
    addMessages(at, summary.covers.start, true);
    sources.push({ kind: "summary", id: summary.id });
    sourceTokens += costs.ofSummary(summary.tokenCount);
    addMessages(summary.covers.start, summary.covers.end, false);
    at = summary.covers.end;
  }
  addMessages(at, covers.end, true);
  return { sources, sourceTokens, originalTokens };
}
