/** The answer when what is always sent does not fit by itself. */

import type { RecentMessagesTooLarge, RequestPart } from "../errors.ts";
import { sumOfParts } from "./tokenCosts.ts";

/** Names what takes how much, largest first. */
export function recentTooLarge(
  budgetTokens: number,
  parts: readonly RequestPart[],
  messageCount: number,
): RecentMessagesTooLarge {
  return {
    code: "RECENT_TOO_LARGE",
    requiredTokens: sumOfParts(parts),
    budgetTokens,
    messageCount,
    parts: parts.toSorted((one, other) => other.tokens - one.tokens),
  };
}
