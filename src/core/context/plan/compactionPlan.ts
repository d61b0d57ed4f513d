/** Result of a strategy: which spans to summarize, how, and to what size. Nothing here calls a model. */

import type { MessageRange, SummaryKind } from "../../history/summaries/summary.ts";
import type { UserMessageRoom } from "../summarization/userMessageRoom.ts";
import type { StrategyName } from "../contextSettings.ts";
import type { StrategyParameters } from "../strategyParameters.ts";

/** Size of a summary's content. Spec §5. */
export interface SpanSize {
  readonly targetTokens: number;
  /** A larger summary is refused. */
  readonly maxTokens: number;
}

/** One summary to make. Tokens are the main model's. */
export interface PlannedSpan extends SpanSize {
  readonly covers: MessageRange;
  readonly level: number;
  /** `originals`: made from the messages even where summaries of them exist. */
  readonly from: "coarsest" | "originals";
  /** Cost in the request of what it replaces. */
  readonly sourceTokens: number;
  readonly originalTokens: number;
}

/** Summaries made by one model call. */
export interface PlannedStep {
  /** `levelUp`: the strategies missed the target; `lastResort`: nothing else would fit. */
  readonly strategy: StrategyName | "levelUp" | "lastResort";
  readonly kind: SummaryKind;
  /** The provider's cheap model, or the conversation's own. */
  readonly model: "small" | "main";
  readonly spans: readonly PlannedSpan[];
}

/** Steps are in order: a later one may build on the summaries of an earlier one. */
export interface CompactionPlan {
  readonly steps: readonly PlannedStep[];
  /** Tokens of the request after all steps, if every summary has its target size. */
  readonly projectedTokens: number;
}

/** Input of a strategy. Tokens of the whole request, in the same counting as the view. */
export interface PlanBudget {
  readonly budgetTokens: number;
  /** Use of the budget before the plan, not rounded; measured if the provider reported it. */
  readonly usedPercent: number;
  readonly summarizeAtPercent: number;
  /** A plan is extended until the projected use is down to this. */
  readonly targetTokens: number;
  readonly summaryRatio: number;
  readonly toolCallTurnAge: number;
  readonly parameters: StrategyParameters;
  /** Cost of a summary besides its content. */
  readonly frameTokens: number;
  /** The user asks, or it must fit: strategies ignore their own thresholds. */
  readonly isForced: boolean;
  /** The user asks: everything that is in no summary yet is summarized, whatever the target. */
  readonly isByUser: boolean;
  /** Fewer and larger compactions, each of one call: see {@link ModelContext.isSmall}. Absent: false. */
  readonly isSmall?: boolean;
  /** Absent: none. */
  readonly userRoom?: UserMessageRoom;
  /** A plan that frees less and misses the target is not worth a compaction. Absent: any is. */
  readonly leastFreedTokens?: number;
}
