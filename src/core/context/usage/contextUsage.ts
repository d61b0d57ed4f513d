/** Usage of the context, as the meter shows it. Spec §10. */

import { percentOf } from "../budgetShare.ts";
import type { ContextSegment } from "../cut/workingContext.ts";

/** Tokens by purpose; they add up to `usedTokens`. */
export interface UsageParts {
  readonly system: number;
  readonly tools: number;
  /** Tokens that the provider adds to every request. */
  readonly priming: number;
  readonly pins: number;
  readonly summaries: number;
  /** Passages of earlier messages, beside the questions that they were recalled for. */
  readonly recalled: number;
  /** The newest messages, which are always sent. */
  readonly recent: number;
  /** Messages before those, sent unchanged. */
  readonly older: number;
}

export interface UsageFigures {
  /** Includes instructions and tools, excludes the composer. */
  readonly usedTokens: number;
  readonly budgetTokens: number;
  /** Number of summaries that are sent. */
  readonly summarizedSegments: number;
  /** Absent if not needed, as for a one-off prompt. */
  readonly parts?: UsageParts;
  /** Part of the window reserved for the answer and for what counting cannot know. */
  readonly reservedTokens?: number;
  /** Reported by the provider for exactly this context; otherwise counted. */
  readonly isMeasured?: boolean;
  /** Margin of error in 9 of 10 cases: of all that is counted, or of what was added after the report. */
  readonly plusMinusTokens?: number;
  /** What is sent besides the overhead, oldest first; absent if not needed. */
  readonly segments?: () => readonly ContextSegment[];
}

export class ContextUsage {
  readonly usedTokens: number;
  readonly budgetTokens: number;
  readonly summarizedSegments: number;
  readonly parts: UsageParts | undefined;
  readonly reservedTokens: number;
  readonly isMeasured: boolean;
  readonly plusMinusTokens: number;
  readonly #segments: (() => readonly ContextSegment[]) | undefined;

  constructor(figures: UsageFigures) {
    this.usedTokens = figures.usedTokens;
    this.budgetTokens = figures.budgetTokens;
    this.summarizedSegments = figures.summarizedSegments;
    this.parts = figures.parts;
    this.reservedTokens = figures.reservedTokens ?? 0;
    this.isMeasured = figures.isMeasured ?? false;
    this.plusMinusTokens = figures.plusMinusTokens ?? 0;
    this.#segments = figures.segments;
  }

  /** What is sent besides the overhead, oldest first, with counted tokens; empty if the request does not fit. */
  get segments(): readonly ContextSegment[] {
    return this.#segments?.() ?? [];
  }

  /** Percent of the budget, not rounded; above 100 if a summary is needed. */
  percentage(): number {
    return percentOf(this.usedTokens, this.budgetTokens);
  }

  /** `2.1k / 200k (1%)`, followed by ` [2S]` if two summaries are sent. */
  formatCompact(): string {
    const summaries = this.summarizedSegments > 0 ? ` [${String(this.summarizedSegments)}S]` : "";
    const percent = String(Math.round(this.percentage()));
    return `${formatTokens(this.usedTokens)} / ${formatTokens(this.budgetTokens)} (${percent}%)${summaries}`;
  }

  /** 0 below 70 %, 1 from 70 to 90 % inclusive, 2 above, by the exact ratio. */
  severity(): 0 | 1 | 2 {
    const percentage = this.percentage();
    if (percentage < 70) return 0;
    return percentage <= 90 ? 1 : 2;
  }
}

/** `999`, `2.1k`, `129k`, `1.2M`: at most three digits, one decimal below ten. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  return tokens < 999_500 ? `${threeDigits(tokens / 1_000)}k` : `${threeDigits(tokens / 1_000_000)}M`;
}

function threeDigits(value: number): string {
  const tenths = Math.round(value * 10);
  return tenths < 100 && tenths % 10 !== 0 ? (tenths / 10).toFixed(1) : String(Math.round(value));
}
