/**
 * Reader's place in the log: preserved while rows change, restored on the host's request, and reported to the host for
 * the next instance of this page, since the editor destroys hidden pages.
 */

import type { ScrollAnchor, RevealedRow } from "../../protocol/scrollAnchor.ts";
import type { Store } from "../state/store.ts";

/** Records the row, and its block, at the top of the viewport; the returned function scrolls it there again. */
export function captureAnchor(log: HTMLElement): () => void {
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
    if (part !== undefined) scrollToOffset(log, part, tops[at] ?? 0);
  };
}

/** Scrolls to a row, and focuses it unless the focus is to stay. */
export function scrollToRow(log: HTMLElement, { rowId, keepsFocus, toQuestion, topPx }: RevealedRow): void {
  const row = log.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(rowId)}"]`);
  const question = toQuestion === true ? (row?.closest(".notice") ?? row?.querySelector(".question")) : null;
  if (question instanceof HTMLElement) {
    question.querySelector<HTMLElement>("[tabindex], button")?.focus({ preventScroll: true });
    question.scrollIntoView({ block: "center" });
    return;
  }
  if (keepsFocus !== true) row?.focus({ preventScroll: true });
  if (row !== null && topPx !== undefined) scrollToOffset(log, row, topPx);
  else row?.scrollIntoView({ block: "start" });
}

function scrollToOffset(log: HTMLElement, row: HTMLElement, topPx: number): void {
  const moved = topOf(row) - topOf(log) - topPx;
  if (Math.abs(moved) >= 1) log.scrollTop += moved;
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top;
}

/** Distance of the viewport's lower edge from the end of the mounted rows, in CSS pixels. */
export function distanceToEnd(log: HTMLElement): number {
  return log.scrollHeight - log.clientHeight - log.scrollTop;
}

/** Shortest time between reports while the reader scrolls; while an answer is streaming, something always moves. */
const reportIntervalMs = 200;

/** Reports the reader's place to the host. */
export class ScrollReporter {
  readonly #store: Store;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Called when something in `log` may have moved. */
  moved(log: HTMLElement): void {
    const { following } = this.#store.state.peek().window;
    if (following && this.#store.scrollRestorer.place === null) return;
    this.#timer ??= setTimeout(() => this.#report(log), reportIntervalMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #report(log: HTMLElement): void {
    this.#timer = undefined;
    if (log.clientHeight === 0 || document.hidden) return; // the page is being removed
    const { window, conversationId } = this.#store.state.peek();
    const place = window.following ? null : placeIn(log);
    const { scrollRestorer } = this.#store;
    if (place?.messageId === scrollRestorer.place?.messageId && place?.topPx === scrollRestorer.place?.topPx) return;
    scrollRestorer.place = place;
    this.#store.post({ kind: "reading", conversationId, place });
  }
}

function placeIn(log: HTMLElement): ScrollAnchor | null {
  const edge = log.getBoundingClientRect().top;
  for (const row of log.querySelectorAll<HTMLElement>("[data-row-id^=message-]")) {
    const { bottom, top } = row.getBoundingClientRect();
    const messageId = Number(row.dataset["rowId"]?.slice("message-".length));
    if (bottom > edge && Number.isSafeInteger(messageId)) return { messageId, topPx: Math.round(top - edge) };
  }
  return null;
}
