/** Names of strategies, as pickers show them and receipts hold them. */

import type { ContextPolicy } from "../../core/context/contextSettings.ts";
import { localize } from "../../protocol/localize.ts";

export const STRATEGY_LABELS: Readonly<Record<ContextPolicy, string>> = {
  pipeline: localize("Pipeline"),
  toolCalls: localize("Tool calls"),
  threshold: localize("Threshold"),
  goalBatch: localize("Goals"),
  sandwich: localize("Sandwich"),
  archive: localize("Archive"),
  tree: localize("Tree"),
  slidingWindow: localize("Sliding window"),
  fullHistory: localize("Full history"),
};

/** Receipts also name what no setting chooses. */
const NAMES: Readonly<Record<string, string>> = {
  ...STRATEGY_LABELS,
  levelUp: localize("Summary of summaries"),
  lastResort: localize("Last resort"),
  range: localize("Chosen messages"),
  again: localize("Written again"),
};

/** Of one strategy or of several, separated by commas; a name that is not known stays as it is. */
export function strategyNames(strategies: string): string {
  return strategies
    .split(", ")
    .map((name) => (Object.hasOwn(NAMES, name) ? NAMES[name] : name))
    .join(", ");
}
