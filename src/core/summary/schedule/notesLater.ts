/**
 * Notes that are written later than their summary. Where a model has no time, or would need too many calls, the extract
 * is used at once; the notes are written when nobody waits, and replace it at the next moment that the cut may change,
 * so that what the provider has cached stays of use until then.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { SummaryId } from "../../ids.ts";

/** Extracts in use that stand in for notes, oldest first. Not those inside a larger summary: they are not sent. */
export function summariesForNow(history: FullHistory): readonly SummaryId[] {
  const waiting = new Set(history.spending.receipts.flatMap(({ notesLater = [] }) => notesLater));
  if (waiting.size === 0) return [];
  return history
    .usableSummaries()
    .map(({ summary }) => summary)
    .filter(({ id, generatedBy }) => waiting.has(id) && generatedBy === "extract")
    .map(({ id }) => id);
}
