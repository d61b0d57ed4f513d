/** What the user wants to spend, and whether a request keeps to it. US dollars everywhere. */

/** Amounts that the user has set; absent: none. */
export interface SpendingLimits {
  readonly warnPerDayUsd?: number;
  readonly limitPerDayUsd?: number;
  readonly warnPerConversationUsd?: number;
  readonly limitPerConversationUsd?: number;
}

/** What was spent before a request. */
export interface SpentSoFar {
  readonly dayUsd: number;
  readonly conversationUsd: number;
}

/** A limit that a request would break. */
export interface BrokenLimit {
  readonly scope: "day" | "conversation";
  readonly limitUsd: number;
  readonly spentUsd: number;
}

/**
 * The limit that a request whose question alone costs `nextUsd` would break, if there is one. What its answer costs nobody
 * can know before, so a limit may be passed by one answer, and by no more.
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

/** An amount of which the user wants to be told. */
export interface PassedWarning {
  readonly scope: "day" | "conversation";
  readonly warnUsd: number;
  readonly spentUsd: number;
}

/** The warnings that were passed between `before` and `after`. Each is passed once. */
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
