/** The row of a summary marker. Pure. */

import type { FullHistory } from "../../core/history/fullHistory.ts";
import { unverifiedIn } from "../../core/summary/facts/fabrication.ts";
import type { SummaryRow } from "../../protocol/summaryView.ts";
import { isStale, isWithinAnother, type SummaryPlace } from "./summaryVersions.ts";

/** `encoding`: that of the model in use; `meta`: see `summaryMeta`. */
export function summaryRow(
  { shown, versions, redo }: SummaryPlace,
  history: FullHistory,
  { encoding, meta }: { readonly encoding: "cl100k" | "o200k"; readonly meta: string },
): SummaryRow {
  const { covers } = shown;
  return {
    kind: "summary",
    rowId: `summary-${String(versions[0]?.id ?? shown.id)}`,
    summaryId: shown.id,
    firstMessage: covers.start,
    lastMessage: covers.end - 1,
    messageCount: covers.end - covers.start,
    tokensBefore: shown.originalTokens[encoding],
    tokensAfter: shown.tokenCount[encoding],
    factsKept: shown.factsKept,
    factsTotal: shown.factsTotal,
    state: shown.state === "active" ? "active" : "undone",
    isStale: isStale(history, shown),
    isWithin: history.isUsable(shown.id) && isWithinAnother(history, shown),
    unverifiedCount: unverifiedIn(shown.content).length,
    redoId: redo?.id ?? null,
    versionCount: versions.length,
    meta,
  };
}
