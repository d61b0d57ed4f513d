/** Tells the host where the reader is, for a page that is made in this one's place: the editor destroys it when it is hidden. */

import type { ReadingPlace } from "../../protocol/readingPlace.ts";
import type { Store } from "../store.ts";

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
