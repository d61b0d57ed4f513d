/** Names of strategies, as receipts hold them. */

import { localize } from "../../protocol/localize.ts";

const NAMES: Readonly<Record<string, string>> = {
  toolCalls: localize("Tool calls"),
  threshold: localize("Threshold"),
  goalBatch: localize("Goals"),
  sandwich: localize("Sandwich"),
  archive: localize("Archive"),
  tree: localize("Tree"),
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
