/**
 * The cut: which messages a request sends unchanged, and which a summary replaces. Built from scratch in the six steps
 * of spec §4, in the order of this file: reserve what is always sent, partition the rest, retain the whole story in its
 * coarsest form, spend what is left newest first, assemble oldest first, return. Takes time in proportion to the
 * history, so it runs only when the cut has to change; in between, `StickyCut` appends.
 */

import type { RecentMessagesTooLarge, RequestPart } from "../../errors.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import { toolOf, type MessageRange } from "../../history/summaries/summary.ts";
import type { SummaryNode } from "../../history/summaries/summaryForest.ts";
import { messageId, messageNumber, type MessageId } from "../../ids.ts";
import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import { recentTooLargeError, sumOfParts, type TokenCosts } from "../tokenCosts.ts";
import { CompressibleMessages } from "./compressibleMessages.ts";
import { DetailAllocation } from "./detailAllocation.ts";
import { partsOf, planExcerpts, segmentOf, type PlannedExcerpts } from "./plannedExcerpts.ts";
import { preservedMessages } from "./preservedMessages.ts";
import { recalledBeside, type RecalledBeside } from "../recalled/recalledSegment.ts";
import { WorkingContext } from "./workingContext.ts";

export interface CutRequest {
  readonly history: FullHistory;
  readonly costs: TokenCosts;
  readonly overhead: readonly RequestPart[];
  readonly budgetTokens: number;
  readonly preserveRecent: number;
  /** Only the first `entries` messages are considered. */
  readonly entries: number;
  /** Only summaries with ids below this are used. */
  readonly summaries: number;
  /** Originals of summaries with ids below this may be restored. */
  readonly restorable: number;
  /** Parts of summaries with ids below this may be sent instead of them. */
  readonly splittable: number;
  /** Finer levels may fill the request up to this. */
  readonly fillTokens: number;
  /** Parts return only if the request took this much before the newest summaries: a smaller one was made smaller. */
  readonly splitFromTokens: number;
}

/** `context` of a cut that is not ready: the least that would be sent, with all summaries used. It does not fit. */
export type Cut =
  | { readonly kind: "ready"; readonly context: WorkingContext }
  | { readonly kind: "needed"; readonly needed: SummarizationNeeded; readonly context: WorkingContext }
  | { readonly kind: "tooLarge"; readonly error: RecentMessagesTooLarge; readonly context: WorkingContext };

export interface SummarizationNeeded {
  /** Tokens over the budget with all existing summaries used. */
  readonly excessTokens: number;
  /** Oldest first; what did not fit after the newer messages. */
  readonly messagesToSummarize: readonly MessageId[];
  /** For the user: what to do. */
  readonly suggestion: string;
}

export function* buildCut(request: CutRequest): CooperativeTask<Cut> {
  const { budgetTokens, fillTokens } = request;
  const blocks = yield* partition(request);
  yield;
  const storyRoom = budgetTokens - blocks.reservedTokens;
  if (blocks.leastStoryTokens > storyRoom)
    return { kind: "tooLarge", error: tooLarge(request, blocks), context: yield* assemble(request, blocks) };
  const wholeTokens = blocks.reservedTokens + blocks.storyTokens + blocks.looseTokens;
  if (wholeTokens > budgetTokens) {
    const messages = yield* messagesThatDoNotFit(request, blocks, storyRoom - blocks.storyTokens);
    const needed = summarizationNeeded(wholeTokens - budgetTokens, messages);
    return { kind: "needed", needed, context: yield* assemble(request, blocks) };
  }
  const beforeTokens = wholeTokens - blocks.storyTokens + blocks.allocation.beforeNewest(blocks.roots);
  const isSplit = beforeTokens >= request.splitFromTokens;
  const recalled = recalledBeside(request, request.entries, budgetTokens - wholeTokens);
  const room = Math.min(fillTokens, budgetTokens) - wholeTokens - (recalled?.mostTokens ?? 0);
  blocks.allocation.refine(blocks.roots, room, isSplit);
  return { kind: "ready", context: yield* assemble(request, blocks, recalled) };
}

// Steps 1 to 3: reserve, partition, keep the whole story.

export interface Partition {
  /** All other messages are reserved. */
  readonly compressible: CompressibleMessages;
  /** Outermost summaries, oldest first. */
  readonly roots: readonly SummaryNode[];
  readonly allocation: DetailAllocation;
  /** Reserved messages whose tool results are truncated. */
  readonly excerpts: PlannedExcerpts;
  /** Cost of every request: overhead and reserved messages, truncated where necessary. */
  readonly reservedTokens: number;
  /** Summarized blocks in their coarsest form. */
  readonly storyTokens: number;
  /** Compressible messages in no summary. */
  readonly looseTokens: number;
  /** Least room for the story, however large the rest is: one summary of all that is not reserved. */
  readonly leastStoryTokens: number;
}

/**
 * Of the budget, for what was said before, beside tool results that would take all of it: those can be read again, and
 * without the task, what was decided and what failed nobody knows what they were read for.
 */
const STORY_SHARE = 1 / 8;

export function* partition(request: Omit<CutRequest, "fillTokens" | "splitFromTokens">): CooperativeTask<Partition> {
  const { history, costs, budgetTokens, entries } = request;
  const preserved = preservedMessages(history, entries, request.preserveRecent, { costs, budgetTokens });
  const compressible = yield* CompressibleMessages.of(history, costs, { preserved, end: entries });

  const roots = history.usableSummaries(request.summaries);
  const summarizedTokens = sum(roots, ({ summary }) => compressible.tokensIn(summary.covers));
  const originalTokens = compressible.tokensIn({ start: 0, end: entries });
  const looseTokens = originalTokens - summarizedTokens;

  const allocation = new DetailAllocation({
    originals: (range) => compressible.tokensIn(range),
    summary: ({ summary }) => costs.ofSummary(summary.tokenCount),
    mayRestore: (node) => mayRestore(node, request.restorable),
    isNewest: ({ summary }) => summary.id >= request.splittable,
  });
  const storyTokens = sum(roots, (node) => allocation.coarsest(node));
  const leastStoryTokens = Math.min(storyTokens + looseTokens, costs.smallestSummary);

  const wholeTokens = sumOfParts(request.overhead) + sum(compressible.preserved, (entry) => costs.ofEntry(entry));
  // Of the originals, so that a compaction changes no excerpt.
  const wantedStoryTokens = Math.min(originalTokens, Math.floor(budgetTokens * STORY_SHARE));
  const excerpts = planExcerpts(compressible.preserved, costs, {
    excessTokens: wholeTokens + leastStoryTokens - budgetTokens,
    excessWithStoryTokens: wholeTokens + Math.max(leastStoryTokens, wantedStoryTokens) - budgetTokens,
    budgetTokens,
  });
  const reservedTokens = wholeTokens - excerpts.savedTokens;
  return {
    compressible,
    roots,
    allocation,
    excerpts,
    reservedTokens,
    storyTokens,
    looseTokens,
    leastStoryTokens,
  };
}

/** One of another tool was made for its model, not for this one. */
function mayRestore({ summary, children }: SummaryNode, restorable: number): boolean {
  if (summary.id < restorable) return true;
  return toolOf(summary) !== undefined && children.every((child) => mayRestore(child, restorable));
}

function sum<T>(items: readonly T[], tokensOf: (item: T) => number): number {
  return items.reduce((total, item) => total + tokensOf(item), 0);
}

// Step 4: the loose messages that do not fit, newest included first. (`DetailAllocation` refines.)

/**
 * Loose messages other than the newest that fit into `room`, oldest first. If `room` is negative, the summaries alone
 * are too large, and the messages of the oldest two are added: one summary a level up can replace both.
 */
function* messagesThatDoNotFit(
  request: CutRequest,
  blocks: Partition,
  room: number,
): CooperativeTask<readonly MessageId[]> {
  const loose = yield* looseMessages(request, blocks, room);
  if (room >= 0) return loose;
  const oldest = blocks.roots.slice(0, 2).flatMap(({ summary }) => blocks.compressible.idsIn(summary.covers));
  return [...oldest, ...loose].sort((one, other) => one - other);
}

/** Takes whole atoms, newest first, while they fit; returns the first that does not and all older ones. */
function* looseMessages(
  { history, entries }: CutRequest,
  { roots, compressible }: Partition,
  room: number,
): CooperativeTask<readonly MessageId[]> {
  const slice = new Slice(MESSAGES_PER_SLICE);
  const covers = roots.map(({ summary }) => summary.covers);
  const excluded: (readonly MessageId[])[] = [];
  let free = room;
  for (const gap of gapsBetween({ start: 0, end: entries }, covers).toReversed()) {
    for (let end = gap.end; end > gap.start;) {
      const atom = { start: Math.max(history.atomOf(messageId(end - 1)).start, gap.start), end };
      const cost = compressible.tokensIn(atom);
      free = cost <= free ? free - cost : -1;
      if (free < 0) excluded.push(compressible.idsIn(atom));
      end = atom.start;
      if (slice.isOver(1)) yield;
    }
  }
  return excluded.reverse().flat();
}

/** The parts of `range` outside `parts`, which are disjoint and sorted. */
function gapsBetween(
  range: { readonly start: number; readonly end: number },
  parts: readonly MessageRange[],
): readonly { readonly start: number; readonly end: number }[] {
  const gaps: { start: number; end: number }[] = [];
  let at = range.start;
  for (const part of parts) {
    if (part.start > at) gaps.push({ start: at, end: part.start });
    at = part.end;
  }
  if (range.end > at) gaps.push({ start: at, end: range.end });
  return gaps;
}

// Step 5: assemble, oldest first.

/** A preserved message follows the summary in whose range it lies, and what was recalled for a question precedes it. */
function* assemble(
  request: CutRequest,
  { compressible, roots, allocation, excerpts }: Partition,
  recalled?: RecalledBeside,
): CooperativeTask<WorkingContext> {
  const { history, costs, entries } = request;
  const context = new WorkingContext(history, request.overhead, allocation.isRefined);
  const slice = new Slice(MESSAGES_PER_SLICE);

  function* sendOriginals(start: number, end: number, which: "all" | "preserved"): CooperativeTask<void> {
    for (let id = start; id < end; id++) {
      if (slice.isOver(1)) yield;
      const entry = history.entries[id];
      if (entry === undefined || !history.isVisible(entry)) continue;
      if (which === "preserved" && compressible.has(id)) continue;
      const beside = id === recalled?.question.id ? recalled.segmentIn(context) : undefined;
      if (beside !== undefined) context.append(beside);
      context.append(segmentOf(entry, excerpts, costs));
    }
  }
  function* sendSummarized(node: SummaryNode): CooperativeTask<void> {
    const { covers, id, tokenCount } = node.summary;
    switch (allocation.representationOf(node)) {
      case "originals":
        yield* sendOriginals(covers.start, covers.end, "all");
        break;
      case "mix":
        yield* sendBlocks(covers.start, covers.end, node.children);
        break;
      case "summary":
        context.append({ kind: "summary", id, covers, tokens: costs.ofSummary(tokenCount) });
        yield* sendOriginals(covers.start, covers.end, "preserved");
    }
  }
  function* sendBlocks(start: number, end: number, nodes: readonly SummaryNode[]): CooperativeTask<void> {
    let at = start;
    for (const node of nodes) {
      yield* sendOriginals(at, node.summary.covers.start, "all");
      yield* sendSummarized(node);
      at = node.summary.covers.end;
    }
    yield* sendOriginals(at, end, "all");
  }

  yield* sendBlocks(0, entries, roots);
  return context;
}

// Step 6: the results other than a context.

function summarizationNeeded(excessTokens: number, messagesToSummarize: readonly MessageId[]): SummarizationNeeded {
  const first = messageNumber(messagesToSummarize[0] ?? 0);
  const last = messageNumber(messagesToSummarize.at(-1) ?? 0);
  const which = first === last ? `message ${first}` : `messages ${first} to ${last}`;
  return {
    excessTokens,
    messagesToSummarize,
    suggestion: `Summarize ${which}: the request is ${String(excessTokens)} tokens over the budget.`,
  };
}

function tooLarge(
  request: CutRequest,
  { excerpts, leastStoryTokens, compressible }: Partition,
): RecentMessagesTooLarge {
  const messages = partsOf(compressible.preserved, excerpts, request);
  const label = "summary of the earlier messages";
  const story: RequestPart = { kind: "message", label, tokens: leastStoryTokens };
  const parts = [...request.overhead, ...messages, ...(leastStoryTokens > 0 ? [story] : [])];
  return recentTooLargeError(request.budgetTokens, parts, messages.length);
}
