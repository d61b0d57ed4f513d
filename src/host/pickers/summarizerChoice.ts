/** Texts of the picker for the model that writes summaries: what one costs, and where the text goes. */

import { shareOfBudget } from "../../core/context/budgetShare.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import { appliesFromPercent, targetPercentOf } from "../../core/context/contextSettings.ts";
import type { ModelId } from "../../core/ids.ts";
import { costUsd } from "../../core/models/modelPrice.ts";
import { localize } from "../../protocol/localize.ts";
import type { ModelServices } from "../connections/modelServices.ts";
import { PROVIDER_LABELS, type ProviderName } from "../connections/providerCatalog.ts";
import { isFreeOfCharge } from "../connections/spendingText.ts";
import { formatCost, formatTokens } from "../words/formatting.ts";

type Services = Pick<ModelServices, "registry" | "providers">;

export interface SummarizerPlace {
  readonly provider: ProviderName;
  readonly model: ModelId;
}

/** "To another company: api.openai.com · about $0.05 for 39k tokens". Lists cut off long lines. */
export function summarizerDetail(
  { provider, model }: SummarizerPlace,
  answering: ProviderName,
  manager: ContextManager,
  services: Services,
): string {
  const where = placeOf(provider, services);
  const isElsewhere = where !== placeOf(answering, services);
  const cost = costText({ provider, model }, manager, services);
  return [...(isElsewhere ? [whereText(provider, services)] : []), cost].join(" · ");
}

/** Told once a model is chosen. */
export function chosenSummarizerText(
  chosen: SummarizerPlace | undefined,
  modelLabel: string,
  answering: ProviderName,
  services: Services,
): string {
  if (chosen === undefined) {
    return localize("Forge chooses the model for summaries again: {0} in this conversation.", modelLabel);
  }
  const text = localize("From now on {0} writes the summaries of all conversations.", modelLabel);
  const { provider } = chosen;
  const isElsewhere = placeOf(provider, services) !== placeOf(answering, services);
  return isElsewhere ? `${text} ${elsewhereText(provider, services)}` : text;
}

/** Tokens that a usual summary of this conversation stands for, and its own. */
export function usualSummary({ settings, policy, budgetTokens }: ContextManager): {
  readonly inputTokens: number;
  readonly outputTokens: number;
} {
  const percent = appliesFromPercent(policy, settings) - targetPercentOf(policy, settings);
  const inputTokens = shareOfBudget(budgetTokens, percent);
  return { inputTokens, outputTokens: Math.ceil(inputTokens * settings.summaryRatio) };
}

function costText({ provider, model }: SummarizerPlace, manager: ContextManager, services: Services): string {
  const usage = usualSummary(manager);
  const tokens = formatTokens(usage.inputTokens);
  const price = services.registry.priceOf(model);
  const usd = price === undefined ? undefined : costUsd(price, usage);
  if (isFree(provider, services)) return localize("free by the token");
  return usd === undefined ? localize("price unknown") : localize("about {0} for {1} tokens", formatCost(usd), tokens);
}

function isFree(name: ProviderName, { providers }: Services): boolean {
  return isFreeOfCharge({ name, baseUrl: providers.addressOf(name) });
}

function whereText(provider: ProviderName, services: Services): string {
  const where = placeOf(provider, services);
  if (provider === "editor") return localize("To the service of the editor's model");
  return isFree(provider, services)
    ? localize("To {0}, in your own network", where)
    : localize("To another company: {0}", where);
}

function elsewhereText(provider: ProviderName, services: Services): string {
  const where = placeOf(provider, services);
  if (provider === "editor") return localize("What is summarized also goes to the service of the editor's model.");
  return isFree(provider, services)
    ? localize("What is summarized also goes to {0}, in your own network.", where)
    : localize("What is summarized also goes to another company: {0}.", where);
}

/** The place that a provider's requests go to, as the user knows it. */
function placeOf(provider: ProviderName, { providers }: Services): string {
  const address = providers.addressOf(provider);
  return address === "" ? PROVIDER_LABELS[provider] : new URL(address).host;
}
