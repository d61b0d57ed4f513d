/**
 * Notes that are written later than their summary. Where a model has no time, or would need too many calls, the extract
 * is used at once; the notes are written when nobody waits, and replace it at the next moment that the cut may change,
 * so that what the provider has cached stays of use until then.
 */

import type { ContextManager } from "../../context/contextManager.ts";
import type { SummaryId } from "../../ids.ts";

/**
 * Extracts in the next request that stand in for notes, oldest first. Not those whose originals are sent, as there is
 * room for them: their notes would be paid for and not be sent. They are written when a later cut has the extract.
 */
export function summariesForNow(manager: Pick<ContextManager, "history" | "isSummarySent">): readonly SummaryId[] {
  const { history } = manager;
  const waiting = new Set(history.spending.receipts.flatMap(({ notesLater = [] }) => notesLater));
  if (waiting.size === 0) return [];
  return history
    .usableSummaries()
    .map(({ summary }) => summary)
    .filter(({ id, generatedBy }) => waiting.has(id) && generatedBy === "extract" && manager.isSummarySent(id))
    .map(({ id }) => id);
}
