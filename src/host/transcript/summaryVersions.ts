/**
 * The versions of a summary: all that were ever made of one range. Undoing takes the newest one in use back, so that the one
 * before it counts again, and at last the originals; redoing goes the other way. Pure.
 */

import type { FullHistory } from "../../core/history/fullHistory.ts";
import { messageId } from "../../core/ids.ts";
import { isErased, type MessageRange, type Summary } from "../../core/history/summaries/summary.ts";

/** The summaries of one range, as the reader meets them. */
export interface SummaryPlace {
  /** The one that stands there: the newest one that counts, else the newest one that is set aside, or the one that redoing would bring back first. */
  readonly shown: Summary;
  /** Oldest first, `shown` among them; without those whose words were erased. */
  readonly versions: readonly Summary[];
  /** What redoing brings back; absent when there is nothing to redo. */
  readonly redo: Summary | undefined;
}

/** What there is of `covers`; `undefined` when nothing stands there, and nothing can be brought back by a redo. */
export function summaryPlace(history: FullHistory, covers: MessageRange): SummaryPlace | undefined {
  const versions = history.summaries.filter((summary) => isOf(summary, covers) && !isErased(summary));
  const active =
    versions.findLast(({ id }) => history.isUsable(id)) ?? versions.findLast(({ state }) => state === "active");
  const redo = versions.find(({ id, state }) => state === "undone" && (active === undefined || id > active.id));
  const shown = active ?? redo;
  return shown === undefined ? undefined : { shown, versions, redo };
}

/** The places whose range ends before message `end`, in the order in which they were first summarized. */
export function placesEndingAt(history: FullHistory, end: number): readonly SummaryPlace[] {
  const starts = new Set(history.summaries.flatMap(({ covers }) => (covers.end === end ? [covers.start] : [])));
  return [...starts]
    .flatMap((start) => summaryPlace(history, { start, end: messageId(end) }) ?? [])
    .filter(({ shown }) => !isSetAside(history, shown) || isMissed(history, shown));
}

/** Whether a summary does not count now, because a message in it is not as it was: hidden, or something of it left out. */
export function isSetAside(history: FullHistory, summary: Summary): boolean {
  return summary.state === "active" && !history.isUsable(summary.id) && !isErased(summary);
}

/** Summaries that are set aside and whose messages are sent as they are instead. */
export function setAsideSummaries(history: FullHistory): readonly Summary[] {
  const ends = new Set(
    history.summaries.filter((summary) => isSetAside(history, summary)).map(({ covers }) => covers.end),
  );
  return [...ends].flatMap((end) =>
    placesEndingAt(history, end).flatMap(({ shown }) => (isSetAside(history, shown) ? [shown] : [])),
  );
}

/** All that the summaries stand for that have a message of `range` in them; `range` itself where there is none. */
export function touchedBySummaries(history: FullHistory, range: MessageRange): MessageRange {
  const touched = history.summaries.filter(
    ({ state, covers }) => state === "active" && covers.start < range.end && range.start < covers.end,
  );
  return {
    start: messageId(Math.min(range.start, ...touched.map(({ covers }) => covers.start))),
    end: messageId(Math.max(range.end, ...touched.map(({ covers }) => covers.end))),
  };
}

/** Whether anything of it is sent as it is: no other summary stands for what is left of it in the view. */
function isMissed(history: FullHistory, { covers }: Summary): boolean {
  const visible = history.entries.slice(covers.start, covers.end).filter((entry) => history.isVisible(entry));
  const [first, last] = [visible.at(0), visible.at(-1)];
  if (first === undefined || last === undefined) return false;
  return !history
    .usableSummaries()
    .some(({ summary }) => summary.covers.start <= first.id && last.id < summary.covers.end);
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
