/** Spending limits and warnings set by the user. All amounts are US dollars. */

/** An absent amount is no limit. */
export interface SpendingLimits {
  readonly warnPerDayUsd?: number;
  readonly limitPerDayUsd?: number;
  readonly warnPerConversationUsd?: number;
  readonly limitPerConversationUsd?: number;
}

export interface SpentSoFar {
  readonly dayUsd: number;
  readonly conversationUsd: number;
}

export interface ExceededLimit {
  readonly scope: "day" | "conversation";
  readonly limitUsd: number;
  readonly spentUsd: number;
}

/**
 * The limit that a request would exceed, if any; `nextUsd` is the cost of its input. Its answer costs an unknown
 * amount, so a limit may be exceeded by one answer, and by no more.
 */
export function exceededLimit(limits: SpendingLimits, spent: SpentSoFar, nextUsd: number): ExceededLimit | undefined {
  const broken = (scope: ExceededLimit["scope"], spentUsd: number, limitUsd: number | undefined): ExceededLimit[] =>
    limitUsd !== undefined && (spentUsd >= limitUsd || spentUsd + nextUsd > limitUsd)
      ? [{ scope, limitUsd, spentUsd }]
      : [];
  return [
    ...broken("conversation", spent.conversationUsd, limits.limitPerConversationUsd),
    ...broken("day", spent.dayUsd, limits.limitPerDayUsd),
  ][0];
}

export interface CrossedWarning {
  readonly scope: "day" | "conversation";
  readonly warnUsd: number;
  readonly spentUsd: number;
}

/** Warning amounts crossed between `before` and `after`: each is reported once. */
export function crossedWarnings(
  limits: SpendingLimits,
  before: SpentSoFar,
  after: SpentSoFar,
): readonly CrossedWarning[] {
  const passed = (
    scope: CrossedWarning["scope"],
    from: number,
    spentUsd: number,
    warnUsd: number | undefined,
  ): readonly CrossedWarning[] =>
    warnUsd !== undefined && from < warnUsd && spentUsd >= warnUsd ? [{ scope, warnUsd, spentUsd }] : [];
  return [
    ...passed("conversation", before.conversationUsd, after.conversationUsd, limits.warnPerConversationUsd),
    ...passed("day", before.dayUsd, after.dayUsd, limits.warnPerDayUsd),
  ];
}
