/** The making of a summary in words: its number, why and how it was made, who wrote it and what that took. Pure. */

import { percentOf } from "../../core/context/budgetShare.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import { modelName } from "../../core/models/modelName.ts";
import type { CompactionReceipt } from "../../core/history/records.ts";
import { toolOf, type Summary } from "../../core/history/summaries/summary.ts";
import { localize } from "../../protocol/localize.ts";
import { formatCost, formatDuration, formatDateTime, formatTokens } from "../words/formatting.ts";
import { toolName } from "../words/toolNames.ts";
import { strategyNames } from "../words/strategyNames.ts";

/**
 * The number of a summary, from 1: the place of its range among all that were ever summarized. Its later versions have the
 * same, and so has a summary that was undone meanwhile.
 */
export function summaryNumber({ summaries }: FullHistory, { covers }: Pick<Summary, "covers">): number {
  const ranges = new Set<string>();
  for (const { covers: other } of summaries) {
    ranges.add(`${String(other.start)}-${String(other.end)}`);
    if (other.start === covers.start && other.end === covers.end) break;
  }
  return ranges.size;
}

/** "gpt-6-luna · $0.004 · 2.8 s · 12 Nov, 14:03", or "Extract, no model used · 12 ms". */
export function summaryMeta(summary: Summary, receipts: readonly CompactionReceipt[]): string {
  return [writerOf(summary, receiptOf(summary, receipts)), formatDateTime(summary.createdAtMs)].join(" · ");
}

/**
 * The cause of it: "Threshold, at 82% of 129k", "Chosen messages, you asked", or "by Claude Code". Empty where that was not
 * recorded, as for the user's own text.
 */
export function summaryCause(summary: Summary, receipts: readonly CompactionReceipt[]): string {
  const tool = toolOf(summary);
  if (tool !== undefined) return localize("by {0}", toolName(tool));
  const receipt = summary.generatedBy === "user" ? undefined : receiptOf(summary, receipts);
  if (receipt === undefined) return "";
  const { strategies, strategy } = receipt;
  const own = strategies?.[receipt.summaries.indexOf(summary.id)] ?? strategy;
  return localize("{0}, {1}", strategyNames(own), triggerText(receipt));
}

/** Its effect on the request: "Request: 106k → 61k tokens", with its share in that where it was not alone. */
export function summaryEffect(summary: Summary, receipts: readonly CompactionReceipt[]): string {
  const receipt = summary.generatedBy === "user" ? undefined : receiptOf(summary, receipts);
  if (receipt === undefined) return "";
  const { tokensBefore, tokensAfter, summaries } = receipt;
  const effect = localize("Request: {0} → {1} tokens", formatTokens(tokensBefore), formatTokens(tokensAfter));
  if (summaries.length === 1) return effect;
  return localize("{0}, by {1} summaries together", effect, summaries.length);
}

function receiptOf({ id }: Summary, receipts: readonly CompactionReceipt[]): CompactionReceipt | undefined {
  return receipts.find(({ summaries }) => summaries.includes(id));
}

function triggerText({ trigger, tokensBefore, budgetTokens, requestModel }: CompactionReceipt): string {
  switch (trigger) {
    case "manual":
      return localize("you asked");
    case "threshold":
      return budgetTokens === undefined ? localize("automatic") : shareText(tokensBefore, budgetTokens);
    case "overflow":
      return budgetTokens === undefined
        ? localize("the request did not fit")
        : localize("the request did not fit: {0}", shareText(tokensBefore, budgetTokens));
    case "modelSwitch":
      return requestModel === undefined
        ? localize("another model was chosen")
        : localize("switch to {0}", modelName(requestModel));
  }
}

function shareText(tokens: number, budgetTokens: number): string {
  return localize("at {0}% of {1}", Math.floor(percentOf(tokens, budgetTokens)), formatTokens(budgetTokens));
}

function writerOf(summary: Summary, receipt: CompactionReceipt | undefined): string {
  if (summary.generatedBy === "extract") {
    return [localize("Extract, no model used"), ...durationOf(receipt)].join(" · ");
  }
  if (summary.generatedBy === "user") return localize("Edited by you");
  const tool = toolOf(summary);
  if (tool !== undefined) return localize("Summary by {0}", toolName(tool));
  const cost = receipt?.costUsd === undefined ? localize("price unknown") : formatCost(receipt.costUsd);
  return [modelName(summary.generatedBy), cost, ...durationOf(receipt)].join(" · ");
}

function durationOf(receipt: CompactionReceipt | undefined): readonly string[] {
  return receipt === undefined ? [] : [formatDuration(receipt.durationMs)];
}
