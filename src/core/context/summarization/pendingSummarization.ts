/**
 * A summary in progress. The conversation continues while it is written, so the result is validated against the history
 * as it is then (`completedSummary.ts`).
 */

import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import type { MessageRange } from "../../history/summaries/summary.ts";
import { contains, partlyOverlaps, allSummaries } from "../../history/summaries/summaryForest.ts";
import { messageId, summaryId, type MessageId, type SummaryId } from "../../ids.ts";
import type { TokenCounts } from "../../message.ts";
import type { PlannedSpan, SpanSize } from "../plan/compactionPlan.ts";
import { SMALLEST_SUMMARY_TOKENS } from "../tokenCosts.ts";
import { SMALLEST_SPAN_TOKENS, spanSize } from "../plan/spanPlanning.ts";
import { summarySources, type SummarizationScope, type SummarySource } from "./summarySources.ts";

/** Sizes are of its content, in the main model's tokens. */
export interface PendingSummarization extends SpanSize {
  /** Its future id, unless another one is recorded first. */
  readonly id: SummaryId;
  readonly covers: MessageRange;
  readonly level: number;
  /** Oldest first. */
  readonly sources: readonly SummarySource[];
  /** Cost of the sources in the request. */
  readonly sourceTokens: number;
  /** The same limits for the writer of the text, in tokenizer counts. */
  readonly writerLimits: {
    readonly targetTokens: number;
    /** Room for the user's messages. */
    readonly userTokens: TokenCounts;
    readonly mostTokens: TokenCounts;
    /** Of the model's notes; absent: a share of the target. */
    readonly mostNotesTokens?: number;
  };
  readonly originalTokens: TokenCounts;
  readonly sourceHash: string;
}

/**
 * Begins a summary of the first contiguous run of `ids`, widened so that it splits neither a tool batch nor another
 * summary. Hidden messages do not break a run; preserved ones do. For the range of an existing summary, begins another
 * version of it. `undefined`: it would not pay.
 */
export function* pendingForMessages(
  ids: readonly MessageId[],
  scope: SummarizationScope,
): CooperativeTask<PendingSummarization | undefined> {
  const run = yield* firstRun(ids, scope);
  if (run === undefined) return undefined;
  const covers = widened(run, scope.history);
  const level = levelFor(covers, scope.history);
  const found = yield* summarySources({ covers, level }, scope);
  const size = spanSize(
    { ...found, level, userTokens: scope.userRoom.tokensIn(covers) },
    { summaryRatio: scope.summaryRatio, frameTokens: scope.costs.summaryFrame },
  );
  if (found.sourceTokens < SMALLEST_SPAN_TOKENS || size === undefined) return undefined;
  return yield* pending({ covers, level }, { ...found, ...size }, scope);
}

/** Begins a planned summary; `undefined` if the history has changed so that it would no longer pay. */
export function* pendingForSpan(
  span: PlannedSpan,
  scope: SummarizationScope,
): CooperativeTask<PendingSummarization | undefined> {
  const { covers } = span;
  if (covers.end > scope.history.length || widened(covers, scope.history).end !== covers.end) return undefined;
  const level = span.from === "originals" ? 1 : levelFor(covers, scope.history);
  const found = yield* summarySources({ covers, level }, scope);
  const maxTokens = Math.min(span.maxTokens, found.sourceTokens - scope.costs.summaryFrame - 1);
  if (maxTokens < SMALLEST_SUMMARY_TOKENS) return undefined;
  const targetTokens = Math.min(span.targetTokens, maxTokens);
  return yield* pending({ covers, level }, { ...found, targetTokens, maxTokens }, scope);
}

function* pending(
  of: { readonly covers: MessageRange; readonly level: number },
  made: SpanSize & { readonly sources: readonly SummarySource[]; readonly sourceTokens: number },
  { history, costs, userRoom, mostNotesTokens }: SummarizationScope,
): CooperativeTask<PendingSummarization> {
  const { sources, sourceTokens, targetTokens, maxTokens } = made;
  const slice = new Slice(MESSAGES_PER_SLICE);
  if (slice.isOver(sources.length)) yield;
  const originalTokens = history.tokensIn(of.covers);
  if (slice.isOver(sources.length)) yield;
  const sourceHash = history.sourceHash(of.covers);
  const target = costs.summaryTextWithin(targetTokens);
  return {
    id: summaryId(history.summaryCount),
    ...of,
    sources,
    sourceTokens,
    targetTokens,
    maxTokens,
    writerLimits: {
      targetTokens: Math.min(target.cl100k, target.o200k),
      userTokens: costs.summaryTextWithin(Math.min(maxTokens, userRoom.tokensIn(of.covers))),
      mostTokens: costs.summaryTextWithin(maxTokens),
      ...(mostNotesTokens === undefined ? {} : { mostNotesTokens }),
    },
    originalTokens,
    sourceHash,
  };
}

/** One above the highest level inside; for a range that has a summary already, the level of that. */
function levelFor(covers: MessageRange, history: FullHistory): number {
  let inside = 0;
  for (const summary of allSummaries(history.usableSummaries())) {
    if (!contains(covers, summary.covers)) continue;
    if (contains(summary.covers, covers)) return summary.level;
    inside = Math.max(inside, summary.level);
  }
  return inside + 1;
}

/** The first run of `ids`, with only hidden messages between. */
function* firstRun(
  ids: readonly MessageId[],
  { history, isPreserved }: SummarizationScope,
): CooperativeTask<MessageRange | undefined> {
  const wanted = new Set<number>(ids);
  let start: MessageId | undefined;
  let end = 0;
  const slice = new Slice(MESSAGES_PER_SLICE);
  for (const id of [...wanted].sort((one, other) => one - other)) {
    if (slice.isOver(1)) yield;
    const entry = history.entries[id];
    if (entry === undefined) break;
    if (!history.isVisible(entry)) continue;
    if (isPreserved(entry.id) || (start !== undefined && !isNext(end, id, history))) {
      if (start !== undefined) break;
      continue;
    }
    start ??= entry.id;
    end = id + 1;
  }
  return start === undefined ? undefined : { start, end: messageId(end) };
}

function isNext(from: number, to: number, history: FullHistory): boolean {
  return history.entries.slice(from, to).every((entry) => !history.isVisible(entry));
}

function widened(range: MessageRange, history: FullHistory): MessageRange {
  let covers = history.wholeAtoms(range);
  const summaries = [...allSummaries(history.usableSummaries())];
  for (;;) {
    const overlapping = summaries.find((summary) => partlyOverlaps(summary.covers, covers));
    if (overlapping === undefined) return covers;
    const start = messageId(Math.min(overlapping.covers.start, covers.start));
    covers = { start, end: messageId(Math.max(overlapping.covers.end, covers.end)) };
  }
}
