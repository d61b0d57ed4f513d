import type { Spent } from "../../core/history/spending.ts";
import type { CrossedWarning, SpendingLimits, SpentSoFar } from "../../core/models/spendingLimits.ts";
import type { Banner } from "../../protocol/toView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { SETTINGS } from "../words/banners.ts";
import type { ProviderEndpoint } from "./providerFactory.ts";
import { formatCost, formatTokens } from "../words/formatting.ts";

/** Whether a provider does not charge by the token: a local server, or the editor's models. */
export function isFreeOfCharge({ name, baseUrl }: Pick<ProviderEndpoint, "name" | "baseUrl">): boolean {
  if (name === "anthropic" || name === "openai") return false;
  return name !== "openaiCompatible" || LOCAL_HOST.test(new URL(baseUrl).hostname);
}

/** This machine, and private networks. */
const LOCAL_HOST =
  /^(?:localhost|.+\.local|\[::1\]|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

/** Shown below an answer: "1.2k from the cache", "$0.004", "price unknown". Empty if free and without cache. */
export function answerCost(spent: Spent | undefined): readonly string[] {
  if (spent === undefined) return [];
  const { cacheReadTokens, unpricedRequests, usd } = spent;
  const cached = cacheReadTokens === 0 ? [] : [localize("{0} from the cache", formatTokens(cacheReadTokens))];
  if (unpricedRequests > 0)
    return [...cached, usd === 0 ? localize("price unknown") : localize("over {0}", formatCost(usd))];
  return usd === 0 ? cached : [...cached, formatCost(usd)];
}

/** Menu lines: the conversation, the day, the cache. */
export function spendingLines(total: Spent, { dayUsd }: SpentSoFar, limits: SpendingLimits): readonly string[] {
  const { limitPerConversationUsd, limitPerDayUsd } = limits;
  const [inAll, today] = [sumText(total), formatCost(dayUsd)];
  return [
    limitPerConversationUsd === undefined
      ? localize("This conversation {0}", inAll)
      : localize("This conversation {0} of {1}", inAll, formatCost(limitPerConversationUsd)),
    limitPerDayUsd === undefined
      ? localize("Today {0}", today)
      : localize("Today {0} of {1}", today, formatCost(limitPerDayUsd)),
    ...(total.inputTokens === 0 ? [] : [cacheLine(total)]),
  ];
}

/** Only a warning: nothing is stopped. */
export function warningBanner({ scope, warnUsd, spentUsd }: CrossedWarning): Banner {
  const [spent, limit] = [formatCost(spentUsd), formatCost(warnUsd)];
  const text =
    scope === "day"
      ? localize("Today's answers have cost {0}, more than your warning threshold of {1}.", spent, limit)
      : localize("This conversation has cost {0}, more than your warning threshold of {1}.", spent, limit);
  return { tone: "warning", text, actions: [SETTINGS] };
}

function sumText({ usd, unpricedRequests }: Spent): string {
  if (unpricedRequests === 0) return formatCost(usd);
  const unknown = plural(unpricedRequests, "1 request of unknown price", "{0} requests of unknown price");
  return usd === 0 ? unknown : localize("{0} and {1}", formatCost(usd), unknown);
}

function cacheLine({ inputTokens, cacheReadTokens }: Spent): string {
  const share = Math.round((cacheReadTokens / inputTokens) * 100);
  return localize("Read from the provider's cache: {0}% of {1} tokens sent", share, formatTokens(inputTokens));
}
