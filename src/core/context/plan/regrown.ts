/**
 * Summaries that were squeezed when hardly anything fitted, as with a long import and a large newest message in a small
 * window: made anew from their originals where a compaction leaves room. What is merged has finer levels to return to;
 * these have none.
 */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import { shareOfBudget } from "../budgetShare.ts";
import type { CompactionPlan, PlanBudget } from "./compactionPlan.ts";
import type { CompactionView, ViewItem } from "./compactionView.ts";
import { PlanDraft } from "./planDraft.ts";

/** Less is not worth reading all of the originals again. */
const LEAST_GROWTH = { times: 3, percentOfBudget: 10 };

export function* regrown(view: CompactionView, budget: PlanBudget): CooperativeTask<CompactionPlan | undefined> {
  const draft = new PlanDraft(view, budget);
  let room = budget.targetTokens - view.usedTokens;
  for (const item of view.items) {
    if (!canGrow(item)) continue;
    const { covers, tokens, originalTokens } = item;
    const targetTokens = Math.min(Math.floor(originalTokens * budget.summaryRatio), tokens + room);
    const grownBy = targetTokens - tokens;
    const least = Math.max(
      (LEAST_GROWTH.times - 1) * tokens,
      shareOfBudget(budget.budgetTokens, LEAST_GROWTH.percentOfBudget),
    );
    if (grownBy < least) continue;
    const maxTokens = targetTokens + (budget.userRoom?.tokensIn(covers) ?? 0);
    const sources = { level: 1, from: "originals", sourceTokens: originalTokens, originalTokens } as const;
    draft.addSpan({ covers, ...sources, targetTokens, maxTokens }, [item]);
    room -= grownBy + budget.frameTokens;
  }
  draft.endStep({ strategy: "threshold", kind: "conversation", model: "small" }, "one");
  yield;
  return draft.plan();
}

function canGrow({ kind, level, summaryKind, planned, isPreserved, isEdited }: ViewItem): boolean {
  const isOfTalk = summaryKind === "conversation" || summaryKind === "extract";
  return kind === "summary" && level === 1 && isOfTalk && planned === undefined && !isPreserved && isEdited !== true;
}
