/** Context usage as the meter shows it; `segments` add up to `usedTokens`. */
export interface UsageView {
  readonly usedTokens: number;
  readonly budgetTokens: number;
  /** "2.1k / 129k (2%)" */
  readonly text: string;
  readonly severity: 0 | 1 | 2;
  readonly measured: boolean;
  readonly segments: readonly UsageSegment[];
}

export interface UsageSegment {
  readonly kind: "system" | "tools" | "pins" | "summaries" | "messages";
  readonly tokens: number;
}
