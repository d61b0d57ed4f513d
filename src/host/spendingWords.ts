/** The words for what was spent: under an answer, in the menu, in a warning. Pure. */

import { formatTokens } from "../core/context/contextUsage.ts";
import type { Spent } from "../core/history/spending.ts";
import type { PassedWarning, SpendingLimits, SpentSoFar } from "../core/models/spendingLimits.ts";
import type { Banner } from "../protocol/toView.ts";
import type { ProviderPlace } from "./makeProvider.ts";
import { formatCost } from "./rowWords.ts";

/** Whether a place bills nothing by the token: a server of one's own, or the editor's models. */
export function isFreeOfCharge({ name, baseUrl }: Pick<ProviderPlace, "name" | "baseUrl">): boolean {
  if (name === "anthropic" || name === "openai") return false;
  return name !== "openaiCompatible" || OWN_HOST.test(new URL(baseUrl).hostname);
}

/** This machine, and addresses that are given out inside a house. */
const OWN_HOST =
  /^(?:localhost|.+\.local|\[::1\]|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

/** What stands under an answer: "1.2k from the cache", "$0.004", "price unknown". Nothing for what is free and fresh. */
export function answerCost(spent: Spent | undefined): readonly string[] {
  if (spent === undefined) return [];
  const { cacheReadTokens, unknownCount, usd } = spent;
  const cached = cacheReadTokens === 0 ? [] : [`${formatTokens(cacheReadTokens)} from the cache`];
  if (unknownCount > 0) return [...cached, usd === 0 ? "price unknown" : `over ${formatCost(usd)}`];
  return usd === 0 ? cached : [...cached, formatCost(usd)];
}

/** What the menu says of the money: the conversation, then the day. */
export function spendingLines(total: Spent, { dayUsd }: SpentSoFar, limits: SpendingLimits): readonly string[] {
  return [
    `This conversation ${sumText(total)}${ofLimit(limits.limitPerConversationUsd)}`,
    `Today ${formatCost(dayUsd)}${ofLimit(limits.limitPerDayUsd)}`,
    ...(total.inputTokens === 0 ? [] : [cacheLine(total)]),
  ];
}

/** An amount was passed of which the user wants to be told. Nothing stops by it. */
export function warningBanner({ scope, warnUsd, spentUsd }: PassedWarning): Banner {
  const what = scope === "day" ? "Today's answers have" : "This conversation has";
  const text = `${what} cost ${formatCost(spentUsd)}, more than the ${formatCost(warnUsd)} at which you wanted to be told.`;
  return { tone: "warning", text, actions: [{ label: "Open settings", command: "openSettings" }] };
}

function sumText({ usd, unknownCount }: Spent): string {
  if (unknownCount === 0) return formatCost(usd);
  const unknown = `${unknownCount} ${unknownCount === 1 ? "request" : "requests"} of unknown price`;
  return usd === 0 ? unknown : `${formatCost(usd)} and ${unknown}`;
}

function ofLimit(limitUsd: number | undefined): string {
  return limitUsd === undefined ? "" : ` of ${formatCost(limitUsd)}`;
}

function cacheLine({ inputTokens, cacheReadTokens }: Spent): string {
  const share = Math.round((cacheReadTokens / inputTokens) * 100);
  return `Read from the provider's cache: ${share}% of ${formatTokens(inputTokens)} tokens sent`;
}
