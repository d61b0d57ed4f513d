/** The line under a summary: who wrote it, what it cost, how long it took. */

import { modelName } from "../../core/models/modelName.ts";
import type { CompactionReceipt } from "../../core/history/records.ts";
import type { Summary } from "../../core/history/summaries/summary.ts";
import { localize } from "../../protocol/localize.ts";
import { formatCost, formatDuration, formatDateTime } from "../words/formatting.ts";

/** "gpt-6-luna · $0.004 · 2.8 s · 12 Nov, 14:03", or "Extract, no model used · 12 ms". */
export function summaryMeta(summary: Summary, receipts: readonly CompactionReceipt[]): string {
  return [writerOf(summary, receipts), formatDateTime(summary.createdAtMs)].join(" · ");
}

function writerOf(summary: Summary, receipts: readonly CompactionReceipt[]): string {
  const receipt = receipts.find((candidate) => candidate.summaries.includes(summary.id));
  if (summary.generatedBy === "extract") {
    return [localize("Extract, no model used"), ...durationOf(receipt)].join(" · ");
  }
  if (summary.generatedBy === "user") return localize("Edited by you");
  const cost = receipt?.costUsd === undefined ? localize("price unknown") : formatCost(receipt.costUsd);
  return [modelName(summary.generatedBy), cost, ...durationOf(receipt)].join(" · ");
}

function durationOf(receipt: CompactionReceipt | undefined): readonly string[] {
  return receipt === undefined ? [] : [formatDuration(receipt.durationMs)];
}
