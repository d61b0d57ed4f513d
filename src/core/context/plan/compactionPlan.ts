/** What a strategy answers: which spans should be summarized, how, and to what size. Nothing here calls a model. */

import type { MessageRange, SummaryKind } from "../../history/summaries/summary.ts";
import type { StrategyName } from "../contextSettings.ts";

/** How large a summary's content may become. Spec §5. */
export interface SpanSize {
  /** Size to aim at. */
  readonly targetTokens: number;
  /** Size above which it is refused. */
  readonly maxTokens: number;
}

/** One summary to be made. Tokens are the main model's. */
export interface PlannedSpan extends SpanSize {
  readonly covers: MessageRange;
  readonly level: number;
  /** `originals`: made from the messages even where summaries of them exist. */
  readonly from: "coarsest" | "originals";
  /** Cost of what it replaces in the request. */
  readonly sourceTokens: number;
  readonly originalTokens: number;
}

/** Summaries that one model call makes. */
export interface PlannedStep {
  /** `levelUp`: the strategies did not reach the target; `lastResort`: nothing else would fit. */
  readonly strategy: StrategyName | "levelUp" | "lastResort";
  readonly kind: SummaryKind;
  /** The cheap model of the provider, or the one of the conversation. */
  readonly model: "small" | "main";
  readonly spans: readonly PlannedSpan[];
}

/** What to do, in order: a later step may stand on the summaries of an earlier one. */
export interface CompactionPlan {
  readonly steps: readonly PlannedStep[];
  /** The request after all of it, if every summary has its target's size. */
  readonly projectedTokens: number;
}

/** What a strategy plans by. Tokens of the whole request, in the same counting as the view. */
export interface PlanBudget {
  readonly budgetTokens: number;
  /** Use of the budget at the beginning, not rounded; measured where the provider reported it. */
  readonly usedPercent: number;
  readonly summarizeAtPercent: number;
  /** A plan goes on until the projected use is down to this. */
  readonly targetTokens: number;
  readonly summaryRatio: number;
  readonly toolCallTurnAge: number;
  /** Cost of a summary besides its content. */
  readonly frameTokens: number;
  /** The user asks, or it has to fit: strategies do not wait for their own threshold. */
  readonly isForced: boolean;
  /** The user asks: all that is in no summary yet is summarized, whatever the target. */
  readonly isByUser: boolean;
  /** A plan that frees less, and does not reach the target, is not worth a compaction. Absent: any is. */
  readonly leastFreedTokens?: number;
}
