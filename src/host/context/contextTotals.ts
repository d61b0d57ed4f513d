/** What the compactions of a conversation did and cost together: its receipts, added up. Pure. */

import { formatTokens } from "../../core/context/contextUsage.ts";
import type { CompactionReceipt } from "../../core/history/records.ts";
import { formatCost, formatDuration } from "../rowWords.ts";
import { counted } from "./contextParts.ts";

/** The sums of all receipts. */
export interface ReceiptTotals {
  readonly compactions: number;
  readonly calls: number;
  /** As billed, for input and output; what nobody reported is not in it. */
  readonly billedTokens: number;
  /** US dollars for what has a price. */
  readonly usd: number;
  /** Compactions by a model whose price is not known. */
  readonly unpriced: number;
  /** Tokens that requests were shortened by, at the moment of each compaction. */
  readonly savedTokens: number;
  readonly durationMs: number;
}

/** Adds up. */
export function receiptTotals(receipts: readonly CompactionReceipt[]): ReceiptTotals {
  const sum = (of: (receipt: CompactionReceipt) => number): number =>
    receipts.reduce((total, receipt) => total + of(receipt), 0);
  return {
    compactions: receipts.length,
    calls: sum(({ calls }) => calls),
    billedTokens: sum(({ billedInputTokens = 0, billedOutputTokens = 0 }) => billedInputTokens + billedOutputTokens),
    usd: sum(({ costUsd = 0 }) => costUsd),
    unpriced: sum(({ calls, costUsd }) => (calls > 0 && costUsd === undefined ? 1 : 0)),
    savedTokens: sum(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter),
    durationMs: sum(({ durationMs }) => durationMs),
  };
}

/** The sums in words, line by line; none while nothing was summarized. */
export function totalsLines(receipts: readonly CompactionReceipt[]): readonly string[] {
  const totals = receiptTotals(receipts);
  if (totals.compactions === 0) return [];
  const { calls, billedTokens, usd, unpriced, savedTokens, durationMs } = totals;
  const billed = billedTokens === 0 ? "" : `, ${formatTokens(billedTokens)} tokens billed`;
  const price =
    calls === 0
      ? "no cost"
      : unpriced === 0
        ? formatCost(usd)
        : usd === 0
          ? "price unknown"
          : `over ${formatCost(usd)}, ${counted(unpriced, "price")} unknown`;
  const saved = savedTokens >= 0 ? `${formatTokens(savedTokens)} tokens saved` : "nothing saved";
  return [
    `Summarized ${totals.compactions === 1 ? "once" : `${String(totals.compactions)} times`}: ${saved}`,
    `${counted(calls, "model call")}${billed}, ${price}, ${formatDuration(durationMs)}`,
  ];
}
