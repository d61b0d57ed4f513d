/** Records for what the user changes in the view: hide, show, pin, undo. Errors say what is wrong. */

import { validationError, type ValidationError } from "../errors.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import type { PinRecord, SummaryStateRecord, VisibilityRecord } from "../history/records.ts";
import { isErased, type SummaryState } from "../history/summaries/summary.ts";
import { partlyOverlaps, allSummaries } from "../history/summaries/summaryForest.ts";
import type { MessageId, SummaryId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";

/** `range` is widened to whole tool batches. */
export function visibilityRecord(
  history: FullHistory,
  { range, hidden, atMs }: Omit<VisibilityRecord, "kind">,
): Result<VisibilityRecord, ValidationError> {
  if (range.start >= range.end || range.end > history.length) {
    const found = `${String(range.start)} to ${String(range.end)}`;
    return err(validationError("range", found, `a range within the ${String(history.length)} messages`));
  }
  return ok({ kind: "visibility", range: history.wholeAtoms(range), hidden, atMs });
}

export function pinRecord(
  history: FullHistory,
  { id, pinned, atMs }: Omit<PinRecord, "kind">,
): Result<PinRecord, ValidationError> {
  return id < history.length ? ok({ kind: "pin", id, pinned, atMs }) : err(unknown("message", id, history.length));
}

/** A summary that partly overlaps another one is restored only after that one is undone. */
export function summaryStateRecord(
  history: FullHistory,
  { id, state, atMs }: { readonly id: SummaryId; readonly state: SummaryState; readonly atMs: number },
): Result<SummaryStateRecord, ValidationError> {
  if (id >= history.summaryCount) return err(unknown("summary", id, history.summaryCount));
  const { covers } = history.summary(id);
  if (state === "active") {
    if (isErased(history.summary(id))) return err(validationError("summary", String(id), "one that was not erased"));
    for (const other of allSummaries(history.usableSummaries())) {
      if (other.id === id || !partlyOverlaps(other.covers, covers)) continue;
      const expected = `a summary that does not cut into summary ${String(other.id)}`;
      return err(validationError("summary", String(id), expected));
    }
  }
  return ok({ kind: "summaryState", id, state, atMs });
}

function unknown(what: "message" | "summary", id: MessageId | SummaryId, count: number): ValidationError {
  return validationError(what, String(id), count === 0 ? `none, there is no ${what}` : `0 to ${String(count - 1)}`);
}
