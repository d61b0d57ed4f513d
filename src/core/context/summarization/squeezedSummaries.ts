/**
 * Summaries of summaries that were squeezed when hardly anything fitted beside a large newest message. What they were
 * made of is still there: a summary over them is made of that, and tells what they had no room for.
 */

import type { SummaryNode } from "../../history/summaries/summaryForest.ts";
import type { TokenCosts } from "../tokenCosts.ts";

/** A usual summary of summaries has more than half of their tokens. */
const LARGEST_SHARE = 1 / 5;

/** The tokens of what a squeezed summary was made of; `undefined` for any other. One of the user's is never squeezed. */
export function squeezedFrom(node: SummaryNode, costs: TokenCosts): number | undefined {
  const { summary, children } = node;
  if (children.length === 0 || summary.generatedBy === "user") return undefined;
  const tokens = children.reduce((sum, child) => sum + toldTokens(child, costs), 0);
  return costs.ofSummary(summary.tokenCount) < tokens * LARGEST_SHARE ? tokens : undefined;
}

function toldTokens(node: SummaryNode, costs: TokenCosts): number {
  return squeezedFrom(node, costs) ?? costs.ofSummary(node.summary.tokenCount);
}
