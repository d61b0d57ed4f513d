/**
 * The versions of a summary: all that were ever made of one range. Undoing takes the newest one in use back, so that the one
 * before it counts again, and at last the originals; redoing goes the other way. Pure.
 */

import type { FullHistory } from "../../core/history/fullHistory.ts";
import { messageId } from "../../core/ids.ts";
import { isErased, type MessageRange, type Summary } from "../../core/history/summary.ts";

/** The summaries of one range, as the reader meets them. */
export interface SummaryPlace {
  /** The one that stands there: the newest one in use, or the one that redoing would bring back first. */
  readonly shown: Summary;
  /** Oldest first, `shown` among them; without those whose words were erased. */
  readonly versions: readonly Summary[];
  /** What redoing brings back; absent when there is nothing to redo. */
  readonly redo: Summary | undefined;
}

/** What there is of `covers`; `undefined` when nothing stands there, and nothing can be brought back by a redo. */
export function summaryPlace(history: FullHistory, covers: MessageRange): SummaryPlace | undefined {
  const versions = history.summaries.filter((summary) => isOf(summary, covers) && !isErased(summary));
  const active = versions.findLast(({ state }) => state === "active");
  const redo = versions.find(({ id, state }) => state === "undone" && (active === undefined || id > active.id));
  const shown = active ?? redo;
  return shown === undefined ? undefined : { shown, versions, redo };
}

/** The places whose range ends before message `end`, in the order in which they were first summarized. */
export function placesEndingAt(history: FullHistory, end: number): readonly SummaryPlace[] {
  const starts = new Set(history.summaries.flatMap(({ covers }) => (covers.end === end ? [covers.start] : [])));
  return [...starts].flatMap((start) => summaryPlace(history, { start, end: messageId(end) }) ?? []);
}

/** Whether a coarser summary in use stands for all of it, so that it is not sent itself. */
export function isWithinAnother(history: FullHistory, { covers }: Summary): boolean {
  return history
    .usableSummaries()
    .some(
      ({ summary }) =>
        !isOf(summary, covers) && summary.covers.start <= covers.start && covers.end <= summary.covers.end,
    );
}

function isOf({ covers }: Summary, { start, end }: MessageRange): boolean {
  return covers.start === start && covers.end === end;
}
