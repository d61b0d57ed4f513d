/** Sources of a summary: messages, and summaries of lower levels with their facts; never text of unknown origin. */

import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import { toolOf, type MessageRange } from "../../history/summaries/summary.ts";
import { outermostInside, type SummaryNode } from "../../history/summaries/summaryForest.ts";
import type { MessageId, SummaryId } from "../../ids.ts";
import type { CutContext } from "../cut/cutBuilder.ts";
import { isPreserved, preservedMessages } from "../cut/preservedMessages.ts";
import type { TokenCosts } from "../tokenCosts.ts";
import { squeezedFrom } from "./squeezedSummaries.ts";
import { userMessageRoom, type UserMessageRoom } from "./userMessageRoom.ts";

export type SummarySource =
  { readonly kind: "message"; readonly id: MessageId } | { readonly kind: "summary"; readonly id: SummaryId };

/** `sources`: everything visible in the range, oldest first. `sourceTokens`: what the request saves. */
export interface SummarySources {
  readonly sources: readonly SummarySource[];
  readonly sourceTokens: number;
  /** Cost of the messages that the summary would replace. */
  readonly originalTokens: number;
}

export interface SummarizationScope {
  readonly history: FullHistory;
  readonly costs: TokenCosts;
  readonly summaryRatio: number;
  readonly userRoom: UserMessageRoom;
  /** Of the model's notes in a summary; absent: a share of the summary. */
  readonly mostNotesTokens?: number;
  /** Whether a message is always sent unchanged, and so needs no summary. */
  readonly isPreserved: (id: MessageId) => boolean;
}

export function summarizationScope({ history, model, settings, policy }: CutContext): SummarizationScope {
  const { preserveRecent, summaryRatio } = settings;
  const preserved = preservedMessages(history, history.length, preserveRecent, model);
  const { costs } = model;
  const userRoom = userMessageRoom({ history, model, policy });
  return {
    ...{ history, costs, summaryRatio, userRoom },
    isPreserved: (id) => isPreserved(preserved, id),
    ...(model.isSmall ? { mostNotesTokens: mostNotesTokens(model.budgetTokens) } : {}),
  };
}

/**
 * In a small window compactions are frequent, and a model on this machine writes slowly: long notes would be a fifth of
 * all that it writes. What they leave goes to facts, which cost no model anything.
 */
function mostNotesTokens(budgetTokens: number): number {
  return Math.max(SMALLEST_NOTES_TOKENS, Math.floor(budgetTokens * NOTES_SHARE_OF_BUDGET));
}

const SMALLEST_NOTES_TOKENS = 96;
const NOTES_SHARE_OF_BUDGET = 1 / 40;

/** The coarsest sources in a range for a summary of `level`; for level 1 the originals alone. */
export function* summarySources(
  { covers, level }: { readonly covers: MessageRange; readonly level: number },
  { history, costs, isPreserved }: SummarizationScope,
): CooperativeTask<SummarySources> {
  const sources: SummarySource[] = [];
  let sourceTokens = 0;
  let originalTokens = 0;
  const slice = new Slice(MESSAGES_PER_SLICE);
  function* addMessages(start: number, end: number, as: "sent" | "told" | "covered"): CooperativeTask<void> {
    for (const entry of history.entries.slice(start, end)) {
      if (slice.isOver(1)) yield;
      if (!history.isVisible(entry)) continue;
      // Preserved messages are sources, too: when they are preserved no longer, the summary replaces them.
      if (as !== "covered") sources.push({ kind: "message", id: entry.id });
      if (isPreserved(entry.id)) continue;
      const cost = costs.ofEntry(entry);
      originalTokens += cost;
      if (as === "sent") sourceTokens += cost;
    }
  }
  /** `told`: the request has a squeezed summary instead, or one of another tool. */
  function* addRange(
    { start, end }: MessageRange,
    nodes: readonly SummaryNode[],
    as: "sent" | "told",
  ): CooperativeTask<void> {
    let at: number = start;
    for (const node of nodes) {
      const { id, covers, tokenCount } = node.summary;
      yield* addMessages(at, covers.start, as);
      if (as === "sent") sourceTokens += costs.ofSummary(tokenCount);
      // One of another tool has no facts beside its text, and nobody knows whose words that is made of.
      const isSource = squeezedFrom(node, costs) === undefined && toolOf(node.summary) === undefined;
      if (isSource) {
        sources.push({ kind: "summary", id });
        yield* addMessages(covers.start, covers.end, "covered");
      } else yield* addRange(covers, node.children, "told");
      at = covers.end;
    }
    yield* addMessages(at, end, as);
  }
  yield* addRange(covers, level === 1 ? [] : outermostInside(covers, level, history.usableSummaries()), "sent");
  return { sources, sourceTokens, originalTokens };
}
