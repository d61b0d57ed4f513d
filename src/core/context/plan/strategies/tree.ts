/** Summarizes what does not fit in chunks, then chunks of chunks: a tree whose leaves are the messages. */

import { MESSAGES_PER_SLICE, Slice } from "../../../cooperativeTask.ts";
import { chunksOf, runsOf } from "../itemRuns.ts";
import type { Strategy } from "./strategy.ts";
import { mergeLevels } from "../mergeLevels.ts";
import { PlanDraft } from "../planDraft.ts";

export const tree: Strategy = {
  name: "tree",
  *plan(view, budget) {
    if (!budget.isForced && view.usedTokens <= budget.budgetTokens) return undefined;
    const { "tree.chunkTokens": chunkTokens, "tree.levels": highestLevel } = budget.parameters;
    const draft = new PlanDraft(view, budget);
    const slice = new Slice(MESSAGES_PER_SLICE);
    for (const run of runsOf(view.items, (item) => !item.isPreserved && item.kind !== "summary")) {
      for (const chunk of chunksOf(run, chunkTokens)) {
        if (slice.isOver(chunk.length)) yield;
        if (budget.isByUser || !draft.reachesTarget()) draft.add(chunk);
      }
    }
    draft.endStep({ strategy: "tree", kind: "conversation", model: "small" }, "one");
    yield* mergeLevels(draft, { strategy: "tree", kind: "conversation", highestLevel, chunkTokens });
    return draft.plan();
  },
};
