/** Summaries of summaries: neighbours of one level become one of the next, the oldest and the lowest first. */

import type { PlannedStep } from "./compactionPlan.ts";
import { CHUNK_TOKENS, chunksOf, runsOf } from "./itemRuns.ts";
import type { PlanDraft } from "./planDraft.ts";

/** How far to merge. */
export interface MergeOptions extends Pick<PlannedStep, "kind" | "strategy"> {
  readonly highestLevel: number;
}

/** Adds merges to `draft` until its use is down to the target, or nothing is left to be merged. */
export function mergeLevels(draft: PlanDraft, { kind, strategy, highestLevel }: MergeOptions): void {
  for (let level = 1; level < highestLevel && !draft.isEnough; level++) {
    const present = draft.view.items.filter((item) => item.kind === "summary");
    if (present.every((item) => item.level < level)) return;
    const chunks = runsOf(draft.view.items, (item) => item.kind === "summary" && item.level === level).flatMap((run) =>
      chunksOf(run, CHUNK_TOKENS),
    );
    for (const chunk of chunks) {
      if (draft.isEnough) break;
      if (chunk.length > 1) draft.add(chunk);
    }
    draft.endStep({ strategy, kind, model: "small" }, "one");
  }
}
