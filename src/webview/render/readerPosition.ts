/**
 * Keeps the reader's line still. At the tail the newest line stays in sight; anywhere else the row at the top of the
 * view stays where it is, whatever is put above it or taken away below.
 */

import type { RevealedRow } from "../../protocol/readingPlace.ts";

/** A row at the top of the view and its distance from there, in CSS pixels. */
export interface Anchor {
  readonly key: string;
  readonly top: number;
}

/** The first row that is at least partly in sight, or null when there is none. */
export function anchorOf(log: HTMLElement): Anchor | null {
  const edge = log.getBoundingClientRect().top;
  for (const row of log.querySelectorAll<HTMLElement>("[data-key]")) {
    const box = row.getBoundingClientRect();
    if (box.bottom > edge) return { key: row.dataset["key"] ?? "", top: box.top - edge };
  }
  return null;
}

/** Scrolls so that the anchor's row is where it was. A row that is gone leaves the view as it is. */
export function restoreAnchor(log: HTMLElement, anchor: Anchor): void {
  const row = log.querySelector<HTMLElement>(`[data-key="${CSS.escape(anchor.key)}"]`);
  if (row !== null) putAt(log, row, anchor.top);
}

/** Notes what stands at the top of the view: a block of an answer, else a row. What is returned puts it there again. */
export function keptLine(log: HTMLElement): () => void {
  const edge = log.getBoundingClientRect().top;
  const firstInSight = (parts: Iterable<HTMLElement>) =>
    [...parts].find((part) => part.getBoundingClientRect().bottom > edge);
  const row = firstInSight(log.querySelectorAll<HTMLElement>("[data-key]"));
  const block = row && (firstInSight(row.querySelectorAll<HTMLElement>(".stretch > *")) ?? row);
  const top = (block?.getBoundingClientRect().top ?? 0) - edge;
  return () => {
    if (block?.isConnected === true) putAt(log, block, top);
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
  const moved = row.getBoundingClientRect().top - log.getBoundingClientRect().top - topPx;
  if (Math.abs(moved) >= 1) log.scrollTop += moved;
}

/** Distance of the view's lower edge from the end of what is mounted, in CSS pixels. */
export function distanceToEnd(log: HTMLElement): number {
  return log.scrollHeight - log.clientHeight - log.scrollTop;
}
