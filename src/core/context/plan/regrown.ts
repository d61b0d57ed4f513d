/**
 * Summaries that were squeezed when hardly anything fitted, as with a long import and a large newest message in a small
 * window: made anew where a compaction leaves room. Those of messages from their originals; merged ones from what they
 * were made of, where that itself does not fit.
 */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import { shareOfBudget } from "../budgetShare.ts";
import type { CompactionPlan, PlanBudget, PlannedSpan } from "./compactionPlan.ts";
import type { CompactionView, ViewItem } from "./compactionView.ts";
import { PlanDraft } from "./planDraft.ts";

/** Less is not worth reading all of the originals again. */
const LEAST_GROWTH = { times: 3, percentOfBudget: 10 };

export function* regrown(view: CompactionView, budget: PlanBudget): CooperativeTask<CompactionPlan | undefined> {
  const draft = new PlanDraft(view, budget);
  let room = budget.targetTokens - view.usedTokens;
  for (const item of view.items) {
    const source = sourceOf(item, room);
    if (source === undefined) continue;
    const { covers, tokens, originalTokens } = item;
    const most = Math.min(Math.floor(originalTokens * budget.summaryRatio), source.mostTokens);
    const targetTokens = Math.min(most, tokens + room);
    const grownBy = targetTokens - tokens;
    const least = Math.max(
      (LEAST_GROWTH.times - 1) * tokens,
      shareOfBudget(budget.budgetTokens, LEAST_GROWTH.percentOfBudget),
    );
    if (grownBy < least) continue;
    const maxTokens = targetTokens + (budget.userRoom?.tokensIn(covers) ?? 0);
    const { level, from, sourceTokens } = source;
    draft.addSpan({ covers, level, from, sourceTokens, originalTokens, targetTokens, maxTokens }, [item]);
    room -= grownBy + budget.frameTokens;
  }
  draft.endStep({ strategy: "threshold", kind: "conversation", model: "small" }, "one");
  yield;
  return draft.plan();
}

type Source = Pick<PlannedSpan, "level" | "from" | "sourceTokens"> & { readonly mostTokens: number };

function sourceOf(item: ViewItem, room: number): Source | undefined {
  const { kind, level, tokens, originalTokens, squeezedFromTokens, planned, isPreserved, isEdited } = item;
  if (kind !== "summary" || planned !== undefined || isPreserved || isEdited === true) return undefined;
  if (level === 1) {
    const isOfTalk = item.summaryKind === "conversation" || item.summaryKind === "extract";
    if (!isOfTalk) return undefined;
    return { level, from: "originals", sourceTokens: originalTokens, mostTokens: originalTokens };
  }
  // What it was made of is sent instead as soon as it fits.
  if (squeezedFromTokens === undefined || squeezedFromTokens - tokens <= room) return undefined;
  const mostTokens = Math.floor(squeezedFromTokens * LARGEST_SHARE_OF_PARTS);
  return { level, from: "coarsest", sourceTokens: squeezedFromTokens, mostTokens };
}

const LARGEST_SHARE_OF_PARTS = 0.65;
