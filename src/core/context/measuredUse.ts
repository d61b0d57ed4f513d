/**
 * What the provider reported of the last request, carried over to the context as it is now: what was added since counts as
 * estimated, what was removed in proportion. Reported figures are the truth; estimates only bridge from one to the next, and
 * get better with each of them.
 */

import type { Calibrator, CountedRequest } from "../tokens/calibrator.ts";
import { CONTENT_CLASSES } from "../tokens/contentClass.ts";

/** A request as it was counted here and as the provider billed it. */
export interface Measurement {
  readonly counted: CountedRequest;
  readonly reportedTokens: number;
}

/** The best figure for a request. The truth is within `usedTokens ± plusMinusTokens` in 9 of 10 cases. */
export interface UseEstimate {
  readonly usedTokens: number;
  /** 0: the provider reported exactly this, or its way of counting is known. */
  readonly plusMinusTokens: number;
}

/** The best figure for a request that is counted as `now`. */
export function measuredUse(
  now: CountedRequest,
  calibrator: Pick<Calibrator, "predict">,
  last: Measurement | undefined,
): UseEstimate {
  const { tokens, plusMinusTokens } = calibrator.predict(now);
  if (last === undefined) return { usedTokens: tokens, plusMinusTokens };
  const before = calibrator.predict(last.counted).tokens;
  const change = tokens - before;
  const weight = change < 0 && before > 0 ? last.reportedTokens / before : 1;
  const usedTokens = Math.max(0, Math.round(last.reportedTokens + change * weight));
  return { usedTokens, plusMinusTokens: Math.ceil(plusMinusTokens * changedShare(now, last.counted)) };
}

/** How much of `now` was not in `before`, or the other way round; at most 1. */
function changedShare(now: CountedRequest, before: CountedRequest): number {
  let all = 0;
  let changed = 0;
  for (const name of CONTENT_CLASSES) {
    all += now.content[name];
    changed += Math.abs(now.content[name] - before.content[name]);
  }
  return all === 0 ? 0 : Math.min(1, changed / all);
}
