/**
 * Keeps the reader's line still. At the tail the newest line stays in sight; anywhere else the row at the top of the
 * view stays where it is, whatever is put above it or taken away below.
 */

import type { RevealedRow } from "../../protocol/readingPlace.ts";

/** Notes what stands at the top of the view: a row, and the block of it. What is returned puts it there again. */
export function keptLine(log: HTMLElement): () => void {
  const edge = topOf(log);
  const firstInSight = (parts: Iterable<HTMLElement>) =>
    [...parts].find((part) => part.getBoundingClientRect().bottom > edge);
  const row = firstInSight(log.querySelectorAll<HTMLElement>("[data-key]"));
  const block = row && firstInSight(row.querySelectorAll<HTMLElement>(".chunk > *"));
  const parts = [block, row].filter((part) => part !== undefined);
  const tops = parts.map((part) => topOf(part) - edge);
  return () => {
    const at = parts.findIndex((part) => part.isConnected);
    const part = parts[at];
    if (part !== undefined) putAt(log, part, tops[at] ?? 0);
  };
}

/** Brings a row into sight, and the keyboard focus to it unless that is to stay. */
export function goToRow(log: HTMLElement, { rowId, keepsFocus, topPx }: RevealedRow): void {
  const row = log.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(rowId)}"]`);
  if (keepsFocus !== true) row?.focus({ preventScroll: true });
  if (row !== null && topPx !== undefined) putAt(log, row, topPx);
  else row?.scrollIntoView({ block: "start" });
}

function putAt(log: HTMLElement, row: HTMLElement, topPx: number): void {
  const moved = topOf(row) - topOf(log) - topPx;
  if (Math.abs(moved) >= 1) log.scrollTop += moved;
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top;
}

/** Distance of the view's lower edge from the end of what is mounted, in CSS pixels. */
export function distanceToEnd(log: HTMLElement): number {
  return log.scrollHeight - log.clientHeight - log.scrollTop;
}
