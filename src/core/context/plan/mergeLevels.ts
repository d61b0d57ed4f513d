/** Summaries of summaries: adjacent ones of one level become one of the next, the oldest and the lowest first. */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { PlannedStep } from "./compactionPlan.ts";
import type { ViewItem } from "./compactionView.ts";
import { CHUNK_TOKENS, chunksOf, runsOf } from "./itemRuns.ts";
import type { PlanDraft } from "./planDraft.ts";

export interface MergeOptions extends Pick<PlannedStep, "kind" | "strategy"> {
  readonly highestLevel: number;
  /** Most tokens that one summary replaces. */
  readonly chunkTokens: number;
}

/** Adds merges to `draft` until the target is reached or nothing is left to merge. */
export function* mergeLevels(
  draft: PlanDraft,
  { kind, strategy, highestLevel, chunkTokens }: MergeOptions,
): CooperativeTask<void> {
  for (let level = 1; level < highestLevel && !draft.reachesTarget(); level++) {
    const { items } = yield* draft.view();
    if (!items.some((item) => item.level >= level)) return;
    const runs = runsOf(items, (item) => item.level === level);
    for (const chunk of runs.flatMap((run) => chunksOf(run, chunkTokens))) {
      if (chunk.length > 1 && !draft.reachesTarget()) draft.addAsLongAsPossible(smallestPrefix(chunk, draft));
    }
    draft.endStep({ strategy, kind, model: "small" }, "one");
  }
}

/**
 * Merges adjacent summaries of any levels, oldest first, where {@link mergeLevels} found no two of one level and the
 * target is not reached: otherwise a large old summary beside smaller ones would stay for ever, and every later
 * compaction would free next to nothing. Only merges that save at least `leastSavedTokens`.
 */
export function* mergeMixedLevels(
  draft: PlanDraft,
  { kind, strategy, leastSavedTokens }: Pick<MergeOptions, "kind" | "strategy"> & { readonly leastSavedTokens: number },
): CooperativeTask<void> {
  const { items: all } = yield* draft.view();
  const runs = runsOf(all, (item) => item.level > 0);
  for (const chunk of runs.flatMap((run) => chunksOf(run, CHUNK_TOKENS))) {
    if (chunk.length < 2 || draft.reachesTarget()) continue;
    const items = smallestPrefix(chunk, draft);
    if (draft.savedBy(items) >= leastSavedTokens) draft.addAsLongAsPossible(items);
  }
  draft.endStep({ strategy, kind, model: "small" }, "one");
}

/** The fewest leading items, at least two, that reach the target, or all: every merge loses detail. */
function smallestPrefix(chunk: readonly ViewItem[], draft: PlanDraft): readonly ViewItem[] {
  for (let count = 2; count < chunk.length; count++) {
    const items = chunk.slice(0, count);
    if (draft.reachesTargetWith(items)) return items;
  }
  return chunk;
}
