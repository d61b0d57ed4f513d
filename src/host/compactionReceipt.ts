/** What a compaction did and what it cost, as the receipt that the session's totals are added up from. */

import type { CompactionPlan } from "../core/context/compactionPlan.ts";
import type { CompactionReceipt } from "../core/history/records.ts";
import type { MessageRange, Summary } from "../core/history/summary.ts";
import { messageId } from "../core/ids.ts";
import type { SummaryDraft } from "../core/summary/summaryRequest.ts";

/** A summary that was made and stored. */
export interface MadeSummary {
  readonly summary: Summary;
  readonly draft: SummaryDraft;
  /** Dollars for its calls; `undefined` where the price, or what was billed, is not known. */
  readonly costUsd: number | undefined;
}

/** What is known when a compaction has ended. */
export interface CompactionOutcome extends Pick<
  CompactionReceipt,
  "trigger" | "tokensBefore" | "tokensAfter" | "atMs"
> {
  readonly plan: CompactionPlan;
  /** One or more. */
  readonly made: readonly MadeSummary[];
  readonly startedAtMs: number;
}

/** The receipt of what was made. */
export function compactionReceipt(outcome: CompactionOutcome): CompactionReceipt {
  const { plan, made, trigger, tokensBefore, tokensAfter, startedAtMs, atMs } = outcome;
  const billed = made.flatMap(({ draft: { usage } }) => (usage === undefined ? [] : [usage]));
  const costs = made.map(({ costUsd }) => costUsd).filter((cost) => cost !== undefined);
  const billedInputTokens = sum(billed, ({ inputTokens }) => inputTokens);
  const billedOutputTokens = sum(billed, ({ outputTokens }) => outputTokens);
  return {
    summaries: made.map(({ summary }) => summary.id),
    span: hull(made.map(({ summary }) => summary.covers)),
    strategy: namesOf(plan.steps.map(({ strategy }) => strategy)),
    trigger,
    tokensBefore,
    tokensAfter,
    ...(billed.length === 0 ? {} : { billedInputTokens, billedOutputTokens }),
    model: namesOf(made.map(({ draft }) => draft.generatedBy)),
    calls: sum(made, ({ draft }) => draft.calls),
    ...(costs.length === made.length ? { costUsd: sum(costs, (cost) => cost) } : {}),
    durationMs: atMs - startedAtMs,
    factsKept: sum(made, ({ summary }) => summary.factsKept),
    factsTotal: sum(made, ({ summary }) => summary.factsTotal),
    atMs,
  };
}

function namesOf(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}

/** The smallest range that holds all of `ranges`, of which there is one at least. */
function hull(ranges: readonly MessageRange[]): MessageRange {
  const start = Math.min(...ranges.map((range) => range.start));
  const end = Math.max(...ranges.map((range) => range.end));
  return { start: messageId(start), end: messageId(end) };
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
