/**
 * What the provider reported of the last request, carried over to the context as it is now: what was added since counts as
 * estimated, what was removed in proportion. Reported figures are the truth; estimates only bridge from one to the next.
 */

/** A request as it was counted here and as the provider billed it. */
export interface Measurement {
  readonly estimatedTokens: number;
  readonly reportedTokens: number;
}

/** The best figure for a context that is counted as `estimatedTokens`. */
export function measuredUse(estimatedTokens: number, last: Measurement | undefined): number {
  if (last === undefined || last.estimatedTokens === 0) return estimatedTokens;
  const change = estimatedTokens - last.estimatedTokens;
  const weight = change < 0 ? last.reportedTokens / last.estimatedTokens : 1;
  return Math.max(0, Math.round(last.reportedTokens + change * weight));
}
