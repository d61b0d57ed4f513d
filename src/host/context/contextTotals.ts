/** Totals of all compactions of a conversation, from their receipts. Pure. */

import type { CompactionReceipt } from "../../core/history/records.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { formatCost, formatDuration, formatTokens } from "../words/formatting.ts";

export interface ReceiptTotals {
  readonly compactions: number;
  readonly calls: number;
  /** Input and output as billed; compactions without a bill count as 0. */
  readonly billedTokens: number;
  /** US dollars; compactions without a price count as 0. */
  readonly usd: number;
  /** Number of compactions by a model of unknown price. */
  readonly unpricedCount: number;
  /** Tokens by which requests became shorter, each at the time of its compaction. */
  readonly savedTokens: number;
  readonly durationMs: number;
}

export function receiptTotals(receipts: readonly CompactionReceipt[]): ReceiptTotals {
  const sum = (of: (receipt: CompactionReceipt) => number): number =>
    receipts.reduce((total, receipt) => total + of(receipt), 0);
  return {
    compactions: receipts.length,
    calls: sum(({ calls }) => calls),
    billedTokens: sum(({ billedInputTokens = 0, billedOutputTokens = 0 }) => billedInputTokens + billedOutputTokens),
    usd: sum(({ costUsd = 0 }) => costUsd),
    unpricedCount: sum(({ calls, costUsd }) => (calls > 0 && costUsd === undefined ? 1 : 0)),
    savedTokens: sum(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter),
    durationMs: sum(({ durationMs }) => durationMs),
  };
}

/**
 * One line each; empty when nothing was summarized in this conversation. Receipts copied from its origin do not count.
 */
export function receiptTotalsLines(receipts: readonly CompactionReceipt[]): readonly string[] {
  const totals = receiptTotals(receipts.filter(({ inOrigin }) => inOrigin === undefined));
  if (totals.compactions === 0) return [];
  const { calls, billedTokens, savedTokens, durationMs } = totals;
  const saved = savedTokens >= 0 ? localize("{0} tokens saved", formatTokens(savedTokens)) : localize("nothing saved");
  const facts = [
    plural(calls, "1 model call", "{0} model calls"),
    ...(billedTokens === 0 ? [] : [localize("{0} tokens billed", formatTokens(billedTokens))]),
    priceText(totals),
    formatDuration(durationMs),
  ];
  return [plural(totals.compactions, "Summarized once: {1}", "Summarized {0} times: {1}", saved), facts.join(", ")];
}

function priceText({ calls, usd, unpricedCount }: ReceiptTotals): string {
  if (calls === 0) return localize("no cost");
  if (unpricedCount === 0) return formatCost(usd);
  return usd === 0
    ? localize("price unknown")
    : plural(unpricedCount, "over {1}, 1 price unknown", "over {1}, {0} prices unknown", formatCost(usd));
}
