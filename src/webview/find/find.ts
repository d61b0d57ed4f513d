/**
 * The search in the conversation: what was typed, what the host found, and at which of it the reader is. The host looks in
 * the whole history; the view holds a few rows of it.
 */
import { type ReadonlySignal, type Signal, computed, signal } from "@preact/signals";
import type { FindHit, FindPlace, FindToHost, FindToView } from "../../protocol/findView.ts";
import { words } from "../words/words.ts";

/** A pause in typing after which is searched. */
const typingPauseMs = 150;

/** What the search needs of the view. */
export interface FindWorld {
  readonly post: (message: FindToHost) => void;
  readonly say: (text: string) => void;
  /** A conversation is shown. */
  readonly isOpen: () => boolean;
  /** The oldest row at hand; empty while there is none. */
  readonly oldestRow: () => string;
  /** Unfolds what holds the words that were found. */
  readonly unfold: (place: FindPlace) => void;
}

/** What was found. */
export interface FindResult {
  readonly findId: string;
  /** Oldest first. */
  readonly hits: readonly FindHit[];
  readonly isMore: boolean;
  /** The one at which the reader is; -1 where there is none. */
  readonly index: number;
}

const NOTHING: FindResult = { findId: "", hits: [], isMore: false, index: -1 };

/** Whether a message of the host is for the search. */
export function isOfFind(message: { readonly kind: string }): message is FindToView {
  return message.kind === "openFind" || message.kind === "found" || message.kind === "foundAt";
}

/** One search of a view. */
export class Find {
  /** Grows each time the box is to take the keyboard; 0 while it is closed. */
  readonly opened: Signal<number> = signal(0);
  readonly query: Signal<string> = signal("");
  /** Null while it is being searched for. */
  readonly result: Signal<FindResult | null> = signal(NOTHING);
  /** Where the present hit is shown; null until the host has said it. */
  readonly place: Signal<FindPlace | null> = signal(null);
  /** All words that were found so far, for marking. */
  readonly marks: Signal<ReadonlySet<string>> = signal(new Set());
  /** The hit at which the reader is. */
  readonly hit: ReadonlySignal<FindHit | null> = computed(() => {
    const { value } = this.result;
    return value?.hits[value.index] ?? null;
  });

  readonly #world: FindWorld;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #findId = "";
  /** Where the host wants to begin. */
  #wanted: number | null = null;

  constructor(world: FindWorld) {
    this.#world = world;
  }

  /** Opens the box and searches for what it holds, or brings the keyboard back to it. */
  open(): void {
    this.opened.value += 1;
    if (this.opened.peek() === 1) this.#search(this.query.peek(), null);
  }

  /** Closes it and takes the marks away. */
  close(): void {
    this.opened.value = 0;
    this.#search("", null);
  }

  /** Another conversation is shown: it is closed, unless it was opened for a message of that one, which is not found yet. */
  leave(): void {
    if (this.#wanted === null || this.result.peek() !== null) this.close();
  }

  /** The user typed. */
  typed(query: string): void {
    this.query.value = query;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#search(query, null);
    }, typingPauseMs);
  }

  /** Goes to the next hit, or with -1 to the one before; round at the ends. What is typed but not searched yet is. */
  go(step: 1 | -1): void {
    const { value } = this.result;
    if (this.#timer !== undefined) this.#search(this.query.peek(), null);
    else if (value !== null && value.hits.length > 0)
      this.#goTo(value, (value.index + step + value.hits.length) % value.hits.length);
  }

  /** Takes what the host says. */
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
        const index = wanted < 0 ? message.hits.length - 1 : wanted;
        const { findId, hits, isMore } = message;
        if (hits.length === 0 && this.#wanted !== null && !this.#world.isOpen()) {
          this.close(); // the conversation that it was opened for cannot be
        } else if (hits.length === 0) {
          this.result.value = { ...NOTHING, findId };
          this.#world.say(words.findNothing);
        } else this.#goTo({ findId, hits, isMore, index }, index);
        return;
      }
      case "foundAt":
        if (message.findId !== this.#findId || this.hit.peek()?.messageId !== message.messageId) return;
        this.marks.value = new Set([...this.marks.peek(), ...message.place.marks]);
        this.place.value = message.place;
        this.#world.unfold(message.place);
    }
  }

  #search(query: string, wanted: number | null): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = wanted;
    this.place.value = null;
    this.marks.value = new Set();
    if (query.trim() === "") {
      this.#findId = "";
      this.result.value = NOTHING;
      return;
    }
    this.#findId = crypto.randomUUID();
    this.result.value = null;
    this.#world.post({ kind: "find", findId: this.#findId, query });
  }

  #goTo(result: FindResult, index: number): void {
    const hit = result.hits[index];
    if (hit === undefined) return;
    this.result.value = { ...result, index };
    this.place.value = null;
    this.#world.post({
      kind: "findGo",
      findId: result.findId,
      messageId: hit.messageId,
      before: this.#world.oldestRow(),
    });
    this.#world.say(`${words.findCount(index + 1, result.hits.length, result.isMore)}. ${hit.excerpt}`);
  }
}
