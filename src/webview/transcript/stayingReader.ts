/**
 * Where all is shown anew, the host hands over only the newest hundreds of rows. A reader who is above them stays where they
 * are: what is said from then on waits until the rows between are there, and is shown at once with them.
 */
import type { ReadonlySignal } from "@preact/signals";
import type { ReadingPlace } from "../../protocol/readingPlace.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToView } from "../../protocol/toView.ts";
import type { AppState } from "../state/state.ts";

/** A place that the host cannot show any more is waited for no longer. */
const mostMs = 1_000;

/** What of the store is needed here. */
interface StayingStore {
  readonly state: ReadonlySignal<AppState>;
  post(message: ToHost): void;
}

/** Hands on what the host says, some of it later. */
export class StayingReader {
  /** Where the reader is, as the host was told last; null: with the newest message. */
  place: ReadingPlace | null = null;

  readonly #store: StayingStore;
  readonly #handOn: (messages: readonly ToView[]) => void;
  #waiting: ToView[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: StayingStore, handOn: (messages: readonly ToView[]) => void) {
    this.#store = store;
    this.#handOn = handOn;
  }

  /** Takes what the host said, in its order. */
  readonly receive = (messages: readonly ToView[]): void => {
    this.#waiting.push(...messages);
    if (this.#timer === undefined && messages.some((message) => this.#asksBehind(message)))
      this.#timer = setTimeout(this.#show, mostMs);
    else if (this.#timer === undefined || messages.some(({ kind }) => kind === "reveal")) this.#show();
  };

  readonly #show = (): void => {
    const wasAway = this.#timer !== undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = this.#waiting;
    this.#waiting = [];
    // Who went to the newest message meanwhile, or sent one, is not brought back.
    const hasGone = this.#store.state.peek().window.following || messages.some(bringsToNewest);
    this.#handOn(wasAway && hasGone ? messages.filter(({ kind }) => kind !== "reveal") : messages);
  };

  /** Asks for the rows down from the reader's, where `message` shows this conversation anew without them. */
  #asksBehind(message: ToView): boolean {
    if (message.kind !== "snapshot" || this.place === null) return false;
    const { conversationId, window } = this.#store.state.peek();
    const { view } = message;
    const oldest = view.rows.find((row) => row.kind === "message");
    if (window.following || view.conversationId !== conversationId || oldest === undefined) return false;
    if (!(this.place.messageId < Number(oldest.messageId))) return false; // an answer that is written has no number
    this.#store.post({ kind: "revealMessage", before: view.rows[0]?.rowId ?? "", ...this.place });
    return true;
  }
}

function bringsToNewest(message: ToView): boolean {
  return message.kind === "composer" && message.sent === "now";
}
