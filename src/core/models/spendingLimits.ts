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

export interface BrokenLimit {
  readonly scope: "day" | "conversation";
  readonly limitUsd: number;
  readonly spentUsd: number;
}

/**
 * The limit that a request would exceed, if any; `nextUsd` is the cost of its input. Its answer costs an unknown
 * amount, so a limit may be exceeded by one answer, and by no more.
 */
export function brokenLimit(limits: SpendingLimits, spent: SpentSoFar, nextUsd: number): BrokenLimit | undefined {
  const broken = (scope: BrokenLimit["scope"], spentUsd: number, limitUsd: number | undefined): BrokenLimit[] =>
    limitUsd !== undefined && (spentUsd >= limitUsd || spentUsd + nextUsd > limitUsd)
      ? [{ scope, limitUsd, spentUsd }]
      : [];
  return [
    ...broken("conversation", spent.conversationUsd, limits.limitPerConversationUsd),
    ...broken("day", spent.dayUsd, limits.limitPerDayUsd),
  ][0];
}

export interface PassedWarning {
  readonly scope: "day" | "conversation";
  readonly warnUsd: number;
  readonly spentUsd: number;
}

/** Warning amounts crossed between `before` and `after`: each is reported once. */
export function passedWarnings(
  limits: SpendingLimits,
  before: SpentSoFar,
  after: SpentSoFar,
): readonly PassedWarning[] {
  const passed = (
    scope: PassedWarning["scope"],
    from: number,
    spentUsd: number,
    warnUsd: number | undefined,
  ): readonly PassedWarning[] =>
    warnUsd !== undefined && from < warnUsd && spentUsd >= warnUsd ? [{ scope, warnUsd, spentUsd }] : [];
  return [
    ...passed("conversation", before.conversationUsd, after.conversationUsd, limits.warnPerConversationUsd),
    ...passed("day", before.dayUsd, after.dayUsd, limits.warnPerDayUsd),
  ];
}
