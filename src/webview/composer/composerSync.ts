/**
 * Posts the composer's changes, and saves them for the next instance of this page until the host is known to have them:
 * the editor may be closed or reloaded at any key press.
 */
import type { Signal } from "@preact/signals";
import type { EditTarget } from "../../protocol/composerDocument.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { HostHandle } from "../link/channel.ts";
import type { AppState } from "../state/state.ts";
import * as composer from "./composerState.ts";
import { PendingReads } from "./pendingReads.ts";
import { readViewMemory, type ViewMemory, viewMemory } from "./viewMemory.ts";

/** Longer texts, in UTF-16 units, are posted only after a pause: each post stores and counts the whole text. */
const longTextLength = 2_000;
const postDelayMs = 300;
/** Longer texts are saved only when posted: writing megabytes at each key press would delay the next. */
const hugeTextLength = 50_000;

/** Drafts, any of which may be the last that a crashed host had stored: about a second of typing. */
const rememberedDrafts = 20;
const rememberedLongDrafts = 3;

/** Connects the composer of {@link AppState}, which it changes, with the host and the view's memory. */
export class ComposerSync {
  readonly #host: HostHandle;
  readonly #state: Signal<AppState>;
  /** Dropped and pasted items, read before a message is sent. */
  readonly reads = new PendingReads();
  #memory: ViewMemory;
  /** Drafts that the host may have, newest last. */
  #hostDrafts: readonly string[] = [""];
  #files: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Message that waits for pending reads; later changes are posted after it. */
  #waitingSend: string | null = null;

  /** Initializes `state` with what an earlier instance saved. */
  constructor(host: HostHandle, state: Signal<AppState>) {
    this.#host = host;
    this.#state = state;
    this.#memory = readViewMemory(host.getState());
    const { earlyText } = this.#memory;
    const first = Date.now(); // above the numbers of earlier instances, which the host may have seen
    const begun = { ...composer.emptyComposer, posted: first, lastNumber: first };
    state.value = { ...state.peek(), unrestored: this.#memory, composer: begun };
    if (earlyText !== "") this.#set(composer.withText(begun, earlyText));
  }

  /** Files that an earlier instance was reading when it ended. */
  get interruptedReads(): readonly string[] {
    return this.#memory.files;
  }

  typed(text: string): void {
    this.#set(composer.withText(this.#composer, text));
    if (text.length <= hugeTextLength) this.#saveMemory(text);
    this.#postSoon(text);
  }

  /** Edits a message or a summary; null discards the edit. */
  edit(place: EditTarget, text: string | null): void {
    this.#set(composer.withEdit(this.#composer, place, text, Date.now()));
    this.#saveMemory(this.#memory.typedText);
    this.#postSoon(text ?? "");
  }

  /** Sends the text once all that was dropped or pasted before is read. */
  send(): void {
    if (this.reads.isBusy) this.post(); // the wait may outlive this page: until it is sent, the text is a draft
    const sendId = crypto.randomUUID();
    this.#set(composer.withSend(this.#composer, sendId));
    this.#waitingSend = sendId;
    this.reads.whenRead(() => {
      if (this.#waitingSend === sendId) this.#waitingSend = null;
      this.post();
    });
  }

  /** Sends a message again with new wording. */
  sendEdit(messageId: number, text: string): void {
    this.#set(composer.withEditSend(this.#composer, messageId, text, crypto.randomUUID()));
    this.post();
  }

  /** Saves the names of files that are being read. */
  saveReadingFiles(files: readonly string[]): void {
    this.#files = [...files];
    this.#saveMemory(this.#memory.typedText);
  }

  /** Posts the unposted changes, up to a message that waits for reads. */
  post(): void {
    clearTimeout(this.#timer);
    for (const { change, conversationId, number } of composer.unposted(this.#composer)) {
      if (change.kind === "send" && change.sendId === this.#waitingSend) return;
      this.#set(composer.posted(this.#composer, number));
      const message: ToHost = { kind: "compose", conversationId, number, change };
      if (change.kind === "text") {
        if (change.text.length > hugeTextLength) this.#saveMemory(change.text);
        this.#recordHostDraft(change.text);
      }
      this.#host.postMessage(message);
    }
  }

  /** Called after each message of the host: saves what it changed, and posts what it lacks. */
  afterHostMessages(before: AppState, isSnapshot: boolean): void {
    const [{ document: oldDocument, conversationId }, { document, confirmed }] = [before.composer, this.#composer];
    const { conversationId: now } = this.#composer;
    const isOther = conversationId !== now;
    const isTextReplaced = oldDocument.text !== document.text || isOther;
    const isClosed = isOther && now === "";
    if (isClosed && document.text !== "") this.#memory = { ...this.#memory, typedText: null }; // moves to the next one
    const isSettled = oldDocument.sending.some(
      ({ sendId }) => !document.sending.some((other) => other.sendId === sendId),
    );
    if (isTextReplaced || isSettled) {
      if (isSettled) this.#hostDrafts = []; // everything posted before is stored
      if (isOther) this.#hostDrafts = this.#memory.conversationId === now ? this.#memory.hostDrafts : [];
      this.#recordHostDraft(confirmed.text);
      this.#saveMemory(document.text === confirmed.text ? null : document.text); // null: the host has all of it
    } else if (oldDocument.edits !== document.edits || !this.#hostDrafts.includes(confirmed.text)) {
      this.#recordHostDraft(confirmed.text);
      this.#saveMemory(this.#memory.typedText);
    }
    if (isTextReplaced) this.#postSoon(document.text);
    else if (isSnapshot) this.post();
  }

  get #composer(): composer.ComposerState {
    return this.#state.peek().composer;
  }

  #set(changed: composer.ComposerState): void {
    this.#state.value = { ...this.#state.peek(), composer: changed };
  }

  #postSoon(text: string): void {
    clearTimeout(this.#timer);
    if (text.length <= longTextLength) this.post();
    else this.#timer = setTimeout(this.post.bind(this), postDelayMs);
  }

  #recordHostDraft(text: string): void {
    const limit = text.length > longTextLength ? rememberedLongDrafts : rememberedDrafts;
    this.#hostDrafts = [...this.#hostDrafts, text].slice(-limit);
  }

  #saveMemory(typedText: string | null): void {
    const state = this.#state.peek();
    // While no conversation is open, what an earlier instance saved for one must not be overwritten.
    const memory =
      state.conversationId === ""
        ? { ...this.#memory, earlyText: state.composer.document.text }
        : viewMemory(typedText, this.#hostDrafts, state);
    this.#memory = { ...memory, files: this.#files };
    this.#host.setState(this.#memory);
  }
}
