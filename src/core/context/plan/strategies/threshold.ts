/** From the threshold on (80 % by default): summarizes the oldest turns that are in no summary, down to the target. */

import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../../cooperativeTask.ts";
import type { PlanBudget } from "../compactionPlan.ts";
import { CHUNK_TOKENS, chunksOf, runsOf, sumOf, turnsOf } from "../itemRuns.ts";
import type { Strategy } from "./strategy.ts";
import type { CompactionView, ViewItem } from "../compactionView.ts";
import { SMALLEST_SPAN_TOKENS } from "../spanPlanning.ts";
import { PlanDraft } from "../planDraft.ts";

/** Spec §6, `threshold`. Whole turns, or atoms if a turn is longer than a chunk. */
export const threshold: Strategy = {
  name: "threshold",
  *plan(view, given) {
    if (!given.isForced && given.usedPercent < given.summarizeAtPercent) return undefined;
    const budget = given.isByUser ? { ...given, targetTokens: 0 } : given;
    const draft = new PlanDraft(view, budget);
    const slice = new Slice(MESSAGES_PER_SLICE);
    for (const chunk of yield* openChunks(view)) {
      if (draft.reachesTarget()) break;
      if (slice.isOver(chunk.length)) yield;
      const items = smallestPrefix(chunk, draft, budget);
      if (hasEnoughOriginals(items)) draft.add(items);
    }
    draft.endStep({ strategy: "threshold", kind: "conversation", model: "small" }, "one");
    return draft.plan();
  },
};

/** Items that are summarized together or not at all: a turn, or an atom of a long one. */
type Piece = readonly ViewItem[];

function* openChunks(view: CompactionView): CooperativeTask<readonly (readonly Piece[])[]> {
  const runs = runsOf(view.items, isUnsummarized);
  yield;
  const turns = runs.map(turnsOf);
  yield;
  const open = turns.flatMap((each) => runsOf(each.flatMap(piecesOf), hasOriginals));
  yield;
  const chunks = open.flatMap((pieces) => chunksOf(pieces, CHUNK_TOKENS));
  yield;
  return chunks;
}

/** In no summary, or only in one of a part of its own turn. */
function isUnsummarized(item: ViewItem): boolean {
  return !item.isPreserved && (item.kind !== "summary" || (item.level === 1 && item.firstTurn === item.lastTurn));
}

/** A summary is not rewritten for a few words beside it: otherwise every compaction would find something to do. */
function hasEnoughOriginals(items: readonly ViewItem[]): boolean {
  const runs = runsOf(items, ({ kind }) => kind !== "summary");
  return items.length === runs[0]?.length || runs.some((run) => sumOf(run, "tokens") >= SMALLEST_SPAN_TOKENS);
}

function hasOriginals(piece: Piece): boolean {
  return piece.some(({ kind }) => kind !== "summary");
}

function piecesOf(turn: readonly ViewItem[]): readonly Piece[] {
  return sumOf(turn, "tokens") > CHUNK_TOKENS ? turn.map((item) => [item]) : [turn];
}

/** The fewest leading pieces that reach the target, or all. */
function smallestPrefix(chunk: readonly Piece[], draft: PlanDraft, budget: PlanBudget): readonly ViewItem[] {
  const all = chunk.flat();
  // More originals never save less: if all of them miss the target, fewer do too.
  if (all.every(({ level }) => level === 0) && draft.projectedWith(all) > budget.targetTokens) return all;
  const items: ViewItem[] = [];
  for (const piece of chunk) {
    items.push(...piece);
    if (draft.projectedWith(items) <= budget.targetTokens) break;
  }
  return items;
}
