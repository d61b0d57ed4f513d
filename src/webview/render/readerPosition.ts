/**
 * Keeps the reader's line still. At the tail the newest line stays in sight; anywhere else the row at the top of the
 * view stays where it is, whatever is put above it or taken away below.
 */

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
  if (row === null) return;
  const moved = row.getBoundingClientRect().top - log.getBoundingClientRect().top - anchor.top;
  if (Math.abs(moved) >= 1) log.scrollTop += moved;
}

/** Brings a row to the top of the view, and the keyboard focus to it if `takesFocus`. */
export function goToRow(log: HTMLElement, rowId: string, takesFocus: boolean): void {
  const row = log.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(rowId)}"]`);
  if (takesFocus) row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "start" });
}

/** Distance of the view's lower edge from the end of what is mounted, in CSS pixels. */
export function distanceToEnd(log: HTMLElement): number {
  return log.scrollHeight - log.clientHeight - log.scrollTop;
}
