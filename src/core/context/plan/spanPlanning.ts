/** Size of a summary, and whether it pays. Spec §5. */

import type { PlanBudget, PlannedSpan, SpanSize } from "./compactionPlan.ts";
import type { ViewItem } from "./compactionView.ts";
import { endOf, levelOf, sumOf } from "./itemRuns.ts";
import { SMALLEST_SUMMARY_TOKENS } from "../tokenCosts.ts";

/** Spans of fewer tokens are not worth a summary. Spec §5. */
export const SMALLEST_SPAN_TOKENS = 200;

/** A summary of summaries must be smaller than they are by as much as is worth the work. */
const LARGEST_SHARE_OF_SUMMARIES = 0.65;
/** The same where there is room for more: the merged summary then preserves more of the user's words. */
const LARGEST_SHARE_WITH_ROOM = 0.7;

/**
 * Target and limit of a summary: the ratio of its originals, at least 64, and for a higher level at most 65 % of what
 * it replaces. The limit leaves room for the user's directives (400) and messages, and for a verbose model.
 * `undefined`: does not pay.
 */
export function spanSize(
  source: {
    readonly sourceTokens: number;
    readonly originalTokens: number;
    readonly level: number;
    /** Room for the user's messages; absent: none. */
    readonly userTokens?: number;
    /** The part of it in planned summaries, whose sizes are without it. Absent: none. */
    readonly plannedUserTokens?: number;
  },
  budget: Pick<PlanBudget, "summaryRatio" | "frameTokens">,
): SpanSize | undefined {
  const { sourceTokens, originalTokens, level, userTokens = 0, plannedUserTokens = 0 } = source;
  const wanted = Math.floor(originalTokens * budget.summaryRatio);
  const allowed = level === 1 ? wanted : Math.min(wanted, Math.floor(sourceTokens * LARGEST_SHARE_OF_SUMMARIES));
  const targetTokens = Math.max(SMALLEST_SUMMARY_TOKENS, allowed);
  const largest = sourceTokens - budget.frameTokens - 1;
  if (targetTokens > largest) return undefined;
  return { targetTokens, maxTokens: Math.min(largest + plannedUserTokens, 2 * targetTokens + 400 + userTokens) };
}

/**
 * `span` with a target up to `roomTokens` larger: within the ratio of its originals, and at most 70 % of what it
 * replaces, so that something is always gained.
 */
export function withLargerTarget(
  span: PlannedSpan,
  roomTokens: number,
  { summaryRatio, frameTokens }: Pick<PlanBudget, "summaryRatio" | "frameTokens">,
): PlannedSpan {
  const { sourceTokens, originalTokens, targetTokens: least } = span;
  const most = Math.min(Math.floor(originalTokens * summaryRatio), Math.floor(sourceTokens * LARGEST_SHARE_WITH_ROOM));
  const targetTokens = Math.max(least, Math.min(most, least + roomTokens));
  const largest = sourceTokens - frameTokens - 1;
  return { ...span, targetTokens, maxTokens: Math.max(span.maxTokens, Math.min(largest, targetTokens)) };
}

/** `undefined` if one summary of these adjacent items would not pay. */
export function plannedSpan(
  items: readonly ViewItem[],
  budget: PlanBudget,
  from: PlannedSpan["from"] = "coarsest",
): PlannedSpan | undefined {
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const sourceTokens = sumOf(items, "tokens");
  const originalTokens = sumOf(items, "originalTokens");
  const level = from === "originals" ? 1 : 1 + levelOf(items);
  const covers = { start: first.covers.start, end: endOf(items) };
  const userTokens = budget.userRoom?.tokensIn(covers) ?? 0;
  const plannedUserTokens = items.reduce(
    (sum, { planned }) => sum + (planned === undefined ? 0 : (budget.userRoom?.tokensIn(planned.covers) ?? 0)),
    0,
  );
  const size = spanSize({ sourceTokens, originalTokens, level, userTokens, plannedUserTokens }, budget);
  if (sourceTokens < SMALLEST_SPAN_TOKENS || size === undefined) return undefined;
  return { covers, level, from, sourceTokens, originalTokens, ...size };
}
