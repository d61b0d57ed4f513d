/** Facts about the open conversation for the diagnostics: figures and names, never message text. Pure. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { Connection } from "../connections/connections.ts";

export type ConversationFacts = Readonly<Record<string, string>>;

export function conversationFacts(
  manager: ContextManager,
  { providerName, model, why }: Connection,
  registry: ModelRegistry,
): ConversationFacts {
  const { history } = manager;
  const { limits, source, outputAssumed } = registry.get(model);
  const usage = manager.usage();
  const { usd, unpricedRequests } = history.spending.total;
  return {
    provider: providerName,
    model,
    why,
    window: `${limits.contextWindow} (${source})`,
    output: `${limits.maxOutput}${outputAssumed ? " (assumed)" : ""}`,
    price: registry.priceOf(model) === undefined ? "unknown" : "known",
    usage: `${usage.formatCompact()}, ${usage.isMeasured ? "measured" : "estimated"} ± ${usage.plusMinusTokens}`,
    messages: String(history.length),
    summaries: String(history.summaryCount),
    compactions: String(history.spending.receipts.length),
    strategy: manager.policy,
    costUsd: `${usd.toFixed(4)}, ${unpricedRequests} of unknown price`,
  };
}
