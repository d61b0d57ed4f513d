/**
 * The versions of a summary: all that were ever made of one range. Undo takes back the newest active one, so that the
 * one before it counts again, and at last the originals; redo goes the other way. Pure.
 */

import type { FullHistory } from "../../core/history/fullHistory.ts";
import { messageId, type SummaryId } from "../../core/ids.ts";
import { contains } from "../../core/history/summaries/summaryForest.ts";
import { isErased, type MessageRange, type Summary } from "../../core/history/summaries/summary.ts";

/** The summaries of one range, shown as one marker. */
export interface SummaryPlace {
  /** The newest usable version, else the newest stale one, else the one that redo restores first. */
  readonly shown: Summary;
  /** Oldest first, including `shown`; without erased ones. */
  readonly versions: readonly Summary[];
  /** The version that redo restores. */
  readonly redo: Summary | undefined;
}

/** `undefined` when the range has no active summary and none to redo. */
export function summaryPlace(history: FullHistory, covers: MessageRange): SummaryPlace | undefined {
  const versions = history.summaries.filter((summary) => isOf(summary, covers) && !isErased(summary));
  const active =
    versions.findLast(({ id }) => history.isUsable(id)) ?? versions.findLast(({ state }) => state === "active");
  const redo = versions.find(({ id, state }) => state === "undone" && (active === undefined || id > active.id));
  const shown = active ?? redo;
  return shown === undefined ? undefined : { shown, versions, redo };
}

/** The places whose range ends just before message `end`, in the order in which they were first summarized. */
export function placesEndingAt(history: FullHistory, end: number): readonly SummaryPlace[] {
  const starts = new Set(history.summaries.flatMap(({ covers }) => (covers.end === end ? [covers.start] : [])));
  return [...starts]
    .flatMap((start) => summaryPlace(history, { start, end: messageId(end) }) ?? [])
    .filter(({ shown }) => !isStale(history, shown) || hasUncoveredMessages(history, shown));
}

/** Stale: active, but a message of its range was hidden or an attachment excluded, so that it does not count. */
export function isStale(history: FullHistory, summary: Summary): boolean {
  return summary.state === "active" && !history.isUsable(summary.id) && !isErased(summary);
}

/** Stale summaries whose messages are sent as originals instead. */
export function staleSummaries(history: FullHistory): readonly Summary[] {
  const ends = new Set(
    history.summaries.filter((summary) => isStale(history, summary)).map(({ covers }) => covers.end),
  );
  return [...ends].flatMap((end) =>
    placesEndingAt(history, end).flatMap(({ shown }) => (isStale(history, shown) ? [shown] : [])),
  );
}

/** `range`, extended by the ranges of all active summaries that overlap it. */
export function withOverlappingSummaries(history: FullHistory, range: MessageRange): MessageRange {
  const touched = history.summaries.filter(
    ({ state, covers }) => state === "active" && covers.start < range.end && range.start < covers.end,
  );
  return {
    start: messageId(Math.min(range.start, ...touched.map(({ covers }) => covers.start))),
    end: messageId(Math.max(range.end, ...touched.map(({ covers }) => covers.end))),
  };
}

/** Whether any of its messages is sent as original: no other summary covers all that is visible of it. */
function hasUncoveredMessages(history: FullHistory, { covers }: Summary): boolean {
  const visible = history.entries.slice(covers.start, covers.end).filter((entry) => history.isVisible(entry));
  const [first, last] = [visible.at(0), visible.at(-1)];
  if (first === undefined || last === undefined) return false;
  return !history
    .usableSummaries()
    .some(({ summary }) => summary.covers.start <= first.id && last.id < summary.covers.end);
}

/** True if a coarser summary that is sent covers all of it. */
export function isWithinSent(
  context: { readonly history: FullHistory; isSummarySent(id: SummaryId): boolean },
  { covers }: Summary,
): boolean {
  return context.history.summaries.some(
    (other) => contains(other.covers, covers) && !isOf(other, covers) && context.isSummarySent(other.id),
  );
}

function isOf({ covers }: Summary, { start, end }: MessageRange): boolean {
  return covers.start === start && covers.end === end;
}
