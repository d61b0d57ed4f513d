/**
 * The reader's place in the log: held while rows come and go, gone to when the host asks for it, and told to the host for a
 * page that is made in this one's place, as the editor destroys a page that is hidden.
 */

import type { ReadingPlace, RevealedRow } from "../../protocol/readingPlace.ts";
import type { Store } from "../state/store.ts";

/** Notes what stands at the top of the view: a row, and the block of it. What is returned puts it there again. */
export function heldLine(log: HTMLElement): () => void {
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

/** So often at the most the place is told while the reader moves; while an answer is written, something always does. */
const tellMs = 200;

/** The reader's place, as the host knows it. */
export class ToldPlace {
  readonly #store: Store;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Something in `log` may have moved. */
  moved(log: HTMLElement): void {
    const { following } = this.#store.state.peek().window;
    if (following && this.#store.staying.place === null) return;
    this.#timer ??= setTimeout(() => this.#tell(log), tellMs);
  }

  /** The page shows nothing any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #tell(log: HTMLElement): void {
    this.#timer = undefined;
    if (log.clientHeight === 0 || document.hidden) return; // the page is being taken away
    const { window, conversationId } = this.#store.state.peek();
    const place = window.following ? null : placeIn(log);
    const { staying } = this.#store;
    if (place?.messageId === staying.place?.messageId && place?.topPx === staying.place?.topPx) return;
    staying.place = place;
    this.#store.post({ kind: "reading", conversationId, place });
  }
}

function placeIn(log: HTMLElement): ReadingPlace | null {
  const edge = log.getBoundingClientRect().top;
  for (const row of log.querySelectorAll<HTMLElement>("[data-row-id^=message-]")) {
    const { bottom, top } = row.getBoundingClientRect();
    const messageId = Number(row.dataset["rowId"]?.slice("message-".length));
    if (bottom > edge && Number.isSafeInteger(messageId)) return { messageId, topPx: Math.round(top - edge) };
  }
  return null;
}
