/**
 * Preserves the reader's place across snapshots, which contain only the newest hundreds of rows. If the reader is above
 * them, messages wait for the rows in between and are shown together with them.
 */
import type { ReadonlySignal } from "@preact/signals";
import type { ScrollAnchor } from "../../protocol/scrollAnchor.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToView } from "../../protocol/toView.ts";
import type { AppState } from "../state/state.ts";

/** Longest wait: the host may be unable to show the place. */
const maxWaitMs = 1_000;

interface RestorerStore {
  readonly state: ReadonlySignal<AppState>;
  post(message: ToHost): void;
}

/** Delivers the host's messages, some of them delayed. */
export class ScrollRestorer {
  /** The reader's place, as last reported to the host; null: at the newest message. */
  place: ScrollAnchor | null = null;

  readonly #store: RestorerStore;
  readonly #deliver: (messages: readonly ToView[]) => void;
  #waiting: ToView[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: RestorerStore, deliver: (messages: readonly ToView[]) => void) {
    this.#store = store;
    this.#deliver = deliver;
  }

  readonly receive = (messages: readonly ToView[]): void => {
    this.#waiting.push(...messages);
    if (this.#timer === undefined && messages.some((message) => this.#requestRowsAtPlace(message)))
      this.#timer = setTimeout(this.#flush, maxWaitMs);
    else if (this.#timer === undefined || messages.some(({ kind }) => kind === "reveal")) this.#flush();
  };

  readonly #flush = (): void => {
    const wasWaiting = this.#timer !== undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = this.#waiting;
    this.#waiting = [];
    // A reader who went to the newest message meanwhile, or sent one, is not taken back.
    const isAtNewest = this.#store.state.peek().window.following || messages.some(scrollsToNewest);
    this.#deliver(wasWaiting && isAtNewest ? messages.filter(({ kind }) => kind !== "reveal") : messages);
  };

  /** Requests the rows from the reader's on, if `message` is a snapshot of this conversation without them. */
  #requestRowsAtPlace(message: ToView): boolean {
    if (message.kind !== "snapshot" || this.place === null) return false;
    const { conversationId, window } = this.#store.state.peek();
    const { view } = message;
    const oldest = view.rows.find((row) => row.kind === "message");
    if (window.following || view.conversationId !== conversationId || oldest === undefined) return false;
    if (!(this.place.messageId < Number(oldest.messageId))) return false; // a streaming answer has no number
    this.#store.post({ kind: "revealMessage", before: view.rows[0]?.rowId ?? "", ...this.place });
    return true;
  }
}

function scrollsToNewest(message: ToView): boolean {
  return message.kind === "composer" && message.sent === "now";
}
