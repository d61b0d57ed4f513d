/**
 * Posts what is done in the composer, and leaves it for a later life of this view until the host is known to have it: the
 * editor may be closed or reloaded at any key press.
 */
import type { Signal } from "@preact/signals";
import type { EditPlace } from "../../protocol/composerDocument.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { HostHandle } from "../link/channel.ts";
import type { AppState } from "../state/state.ts";
import * as composer from "./composerState.ts";
import { PendingReads } from "./pendingReads.ts";
import { readViewMemory, type ViewMemory, viewMemory } from "./viewMemory.ts";

/** A text longer than this, in UTF-16 units, is posted after each pause only, as it is stored and counted whole each time. */
const longText = 2_000;
const pauseMs = 300;
/** A text longer than this is remembered when it is posted only: to write megabytes at each key would hold up the next. */
const hugeText = 50_000;

/** So many earlier drafts may be what a host that ended had stored last: about a second of typing. */
const rememberedDrafts = 20;
const rememberedLongDrafts = 3;

/** Between the composer of {@link AppState}, which it changes, the host, and the view's own memory. */
export class ComposerSync {
  readonly #host: HostHandle;
  readonly #state: Signal<AppState>;
  /** What was dropped or pasted, and is to be read before a message that is sent now. */
  readonly reads = new PendingReads();
  #memory: ViewMemory;
  /** Drafts that the host may have, the newest last. */
  #hostDrafts: readonly string[] = [""];
  #files: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The message that waits for what is being read; later changes are posted after it. */
  #waitingSend: string | null = null;

  /** Begins `state` with what an earlier life of this view left. */
  constructor(host: HostHandle, state: Signal<AppState>) {
    this.#host = host;
    this.#state = state;
    this.#memory = readViewMemory(host.getState());
    const { earlyText } = this.#memory;
    const first = Date.now(); // above the numbers of an earlier life: what the host has of those is none of these
    const begun = { ...composer.emptyComposer, posted: first, last: first };
    state.value = { ...state.peek(), left: this.#memory, composer: begun };
    if (earlyText !== "") this.#set(composer.typed(begun, earlyText));
  }

  /** Files that an earlier life of this view was reading when it ended. */
  get leftFiles(): readonly string[] {
    return this.#memory.files;
  }

  /** The composer holds `text` now. */
  typed(text: string): void {
    this.#set(composer.typed(this.#composer, text));
    if (text.length <= hugeText) this.#remember(text);
    this.#postSoon(text);
  }

  /** A message or a summary is to say `text`; null: it stays as it is. */
  edit(place: EditPlace, text: string | null): void {
    this.#set(composer.edited(this.#composer, place, text, Date.now()));
    this.#remember(this.#memory.typedText);
    this.#postSoon(text ?? "");
  }

  /** Sends the text, when all is read that was dropped or pasted before. */
  send(): void {
    if (this.reads.isBusy) this.post(); // what waits may outlive this page: until it is sent it is a draft
    const sendId = crypto.randomUUID();
    this.#set(composer.sent(this.#composer, sendId));
    this.#waitingSend = sendId;
    this.reads.whenRead(() => {
      if (this.#waitingSend === sendId) this.#waitingSend = null;
      this.post();
    });
  }

  /** Sends a message once more in other words. */
  sendEdit(messageId: number, text: string): void {
    this.#set(composer.editSent(this.#composer, messageId, text, crypto.randomUUID()));
    this.post();
  }

  /** Files of these names are being read. */
  noteReading(files: readonly string[]): void {
    this.#files = [...files];
    this.#remember(this.#memory.typedText);
  }

  /** Posts what the host was not told yet. */
  post(): void {
    clearTimeout(this.#timer);
    for (const { change, conversationId, number } of composer.unposted(this.#composer)) {
      if (change.kind === "send" && change.sendId === this.#waitingSend) return;
      this.#set(composer.posted(this.#composer, number));
      const message: ToHost = { kind: "compose", conversationId, number, change };
      if (change.kind === "text") {
        if (change.text.length > hugeText) this.#remember(change.text);
        this.#noteHostDraft(change.text);
      }
      this.#host.postMessage(message);
    }
  }

  /** The host told something: what that changes is remembered, and what it lacks is posted. */
  heard(before: AppState, isSnapshot: boolean): void {
    const [{ document: was, conversationId }, { document, confirmed }] = [before.composer, this.#composer];
    const { conversationId: now } = this.#composer;
    const isOther = conversationId !== now;
    const isPut = was.text !== document.text || isOther;
    const isClosed = isOther && now === "";
    if (isClosed && document.text !== "") this.#memory = { ...this.#memory, typedText: null }; // brought along
    const isSettled = was.sending.some(({ sendId }) => !document.sending.some((other) => other.sendId === sendId));
    if (isPut || isSettled) {
      if (isSettled) this.#hostDrafts = []; // what was told before is stored
      if (isOther) this.#hostDrafts = this.#memory.conversationId === now ? this.#memory.hostDrafts : [];
      this.#noteHostDraft(confirmed.text);
      this.#remember(document.text === confirmed.text ? null : document.text); // all of it is the host's, or it is a draft
    } else if (was.edits !== document.edits || !this.#hostDrafts.includes(confirmed.text)) {
      this.#noteHostDraft(confirmed.text);
      this.#remember(this.#memory.typedText);
    }
    if (isPut) this.#postSoon(document.text);
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
    if (text.length <= longText) this.post();
    else this.#timer = setTimeout(this.post.bind(this), pauseMs);
  }

  #noteHostDraft(text: string): void {
    const kept = text.length > longText ? rememberedLongDrafts : rememberedDrafts;
    this.#hostDrafts = [...this.#hostDrafts, text].slice(-kept);
  }

  #remember(typedText: string | null): void {
    const state = this.#state.peek();
    // While none is open, what an earlier life of this view left for one must not be overwritten.
    const memory =
      state.conversationId === ""
        ? { ...this.#memory, earlyText: state.composer.document.text }
        : viewMemory(typedText, this.#hostDrafts, state);
    this.#memory = { ...memory, files: this.#files };
    this.#host.setState(this.#memory);
  }
}
