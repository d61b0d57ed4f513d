/** Search in the conversation. The host searches the whole history; the view has only a few rows of it. */
import type { FindToHost } from "../../protocol/toHost.ts";
import { type ReadonlySignal, type Signal, computed, signal } from "@preact/signals";
import type { FindHit, FindPlace, FindToView } from "../../protocol/findView.ts";
import { words } from "../words/words.ts";

/** Debounce of the search. */
const debounceMs = 150;

export interface FindServices {
  readonly post: (message: FindToHost) => void;
  readonly say: (text: string) => void;
  /** Whether a conversation is shown. */
  readonly isOpen: () => boolean;
  /** Oldest loaded row; empty if there is none. */
  readonly oldestRowId: () => string;
  /** Unfolds what contains the found words. */
  readonly unfold: (place: FindPlace) => void;
}

export interface FindResult {
  readonly findId: string;
  /** Oldest first, then similar ones. */
  readonly hits: readonly FindHit[];
  readonly isMore: boolean;
  /** Index of the current hit; -1 for none. */
  readonly index: number;
}

const NOTHING: FindResult = { findId: "", hits: [], isMore: false, index: -1 };

export function isFindMessage(message: { readonly kind: string }): message is FindToView {
  return message.kind === "openFind" || message.kind === "found" || message.kind === "foundAt";
}

/** "3 of 12", and whether that one is only similar. */
export function findCount({ hits, isMore, index }: FindResult): string {
  const count = words.findCount(index + 1, hits.length, isMore);
  return hits[index]?.isSimilar === true ? words.findSimilar(count) : count;
}

export class Find {
  /** Grows each time the input is to take the focus; 0 while closed. */
  readonly opened: Signal<number> = signal(0);
  readonly query: Signal<string> = signal("");
  /** Null while searching. */
  readonly result: Signal<FindResult | null> = signal(NOTHING);
  /** Place of the current hit; null until received from the host. */
  readonly place: Signal<FindPlace | null> = signal(null);
  /** All words found so far, to be highlighted. */
  readonly foundWords: Signal<ReadonlySet<string>> = signal(new Set());
  /** Current hit. */
  readonly hit: ReadonlySignal<FindHit | null> = computed(() => {
    const { value } = this.result;
    return value?.hits[value.index] ?? null;
  });

  readonly #services: FindServices;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #findId = "";
  /** Message to start at, on the host's request. */
  #wanted: number | null = null;

  constructor(services: FindServices) {
    this.#services = services;
  }

  /** Opens the bar and searches for its query, or focuses it again. */
  open(): void {
    this.opened.value += 1;
    if (this.opened.peek() === 1) this.#search(this.query.peek(), null);
  }

  /** Closes the bar and removes the highlights. */
  close(): void {
    this.opened.value = 0;
    this.#search("", null);
  }

  /** Another conversation is shown: closes the bar, unless opened for a message of that one that is not found yet. */
  conversationChanged(): void {
    if (this.#wanted === null || this.result.peek() !== null) this.close();
  }

  typed(query: string): void {
    this.query.value = query;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#search(query, null);
    }, debounceMs);
  }

  /** Goes to the next hit, or with -1 to the previous one, wrapping around. A pending search runs instead. */
  go(step: 1 | -1): void {
    const { value } = this.result;
    if (this.#timer !== undefined) this.#search(this.query.peek(), null);
    else if (value !== null && value.hits.length > 0)
      this.#goTo(value, (value.index + step + value.hits.length) % value.hits.length);
  }

  receive(message: FindToView): void {
    switch (message.kind) {
      case "openFind":
        if (message.query === "") this.open();
        else {
          this.opened.value += 1;
          this.query.value = message.query;
          this.#search(message.query, message.messageId);
        }
        return;
      case "found": {
        if (message.findId !== this.#findId) return;
        const wanted = message.hits.findIndex(({ messageId }) => messageId === this.#wanted);
        const similar = message.hits.findIndex(({ isSimilar }) => isSimilar === true);
        // The newest hit, or else the most similar message.
        const newest = similar < 0 ? message.hits.length - 1 : Math.max(0, similar - 1);
        const index = wanted < 0 ? newest : wanted;
        const { findId, hits, isMore } = message;
        if (hits.length === 0 && this.#wanted !== null && !this.#services.isOpen()) {
          this.close(); // the conversation that it was opened for cannot be opened
        } else if (hits.length === 0) {
          this.result.value = { ...NOTHING, findId };
          this.#services.say(words.findNothing);
        } else this.#goTo({ findId, hits, isMore, index }, index);
        return;
      }
      case "foundAt":
        if (message.findId !== this.#findId || this.hit.peek()?.messageId !== message.messageId) return;
        this.foundWords.value = new Set([...this.foundWords.peek(), ...message.place.marks]);
        this.place.value = message.place;
        this.#services.unfold(message.place);
    }
  }

  #search(query: string, wanted: number | null): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = wanted;
    this.place.value = null;
    this.foundWords.value = new Set();
    if (query.trim() === "") {
      this.#findId = "";
      this.result.value = NOTHING;
      return;
    }
    this.#findId = crypto.randomUUID();
    this.result.value = null;
    this.#services.post({ kind: "find", findId: this.#findId, query });
  }

  #goTo(result: FindResult, index: number): void {
    const hit = result.hits[index];
    if (hit === undefined) return;
    this.result.value = { ...result, index };
    this.place.value = null;
    this.#services.post({
      kind: "findGo",
      findId: result.findId,
      messageId: hit.messageId,
      before: this.#services.oldestRowId(),
    });
    this.#services.say(`${findCount({ ...result, index })}. ${hit.excerpt}`);
  }
}
