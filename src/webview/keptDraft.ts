/**
 * What is typed is told to the host, and left for a later life of this view until the host is known to have it: the editor
 * may be closed or reloaded at any key press.
 */
import type { Signal } from "@preact/signals";
import type { ToHost } from "../protocol/toHost.ts";
import type { ToView } from "../protocol/toView.ts";
import type { HostHandle } from "./channel.ts";
import { isCrossed } from "./composerState.ts";
import type { MessageEdits } from "./messageEdits.ts";
import type { AppState } from "./state.ts";
import { act, type ViewAct } from "./viewActs.ts";
import { readViewMemory, textFor, type ViewMemory, viewMemory } from "./viewMemory.ts";

/** A draft longer than this, in UTF-16 units, is told after each pause only, as it is stored and counted whole each time. */
export const longDraft = 2_000;
export const draftPauseMs = 300;
/** A draft longer than this is remembered when it is told only: to write megabytes at each key would hold up the next. */
const hugeDraft = 50_000;

/** So many earlier drafts may be what a host that ended had stored last: about a second of typing. */
const rememberedDrafts = 20;
const rememberedLongDrafts = 3;

/** What this works with. */
export interface KeptDraftParts {
  readonly host: HostHandle;
  readonly state: Signal<AppState>;
  readonly act: (what: ViewAct) => void;
  readonly post: (message: ToHost) => void;
}

/** The draft on its way to the host, and what is left of it in the view's own memory. */
export class KeptDraft {
  readonly #parts: KeptDraftParts;
  #memory: ViewMemory;
  /** Drafts that the host had before the one it was told last; the newest is the last. */
  #hostDrafts: readonly string[] = [];
  #files: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** A message is yet to be posted: what is typed behind it is told after it. */
  isBehindSend = false;

  constructor(parts: KeptDraftParts) {
    this.#parts = parts;
    this.#memory = readViewMemory(parts.host.getState());
  }

  /** What was being said anew when an earlier life of this view ended. */
  get leftEdits(): MessageEdits {
    return new Map(
      this.#memory.edits.map(({ key, text, revision }) => [key, { text, revision, sendId: null, isLeft: true }]),
    );
  }

  /** What was typed in an earlier life of this view that ended before it knew of any conversation. */
  get earlyText(): string {
    return this.#memory.earlyText;
  }

  /** What was dropped in an earlier life of this view and was not read when that ended. */
  get leftFiles(): readonly string[] {
    return this.#memory.files;
  }

  /** Files of these names are being read. */
  noteReading(files: readonly string[]): void {
    this.#files = [...files];
    this.#remember(this.#memory.typedText);
  }

  /** Messages are said anew: remembered as far as they are typed. */
  noteEdits(): void {
    this.#remember(this.#memory.typedText);
  }

  /** The composer holds `text` now: remembered, and told at once, or after a pause where it is long. */
  note(text: string): void {
    if (text.length <= hugeDraft) this.#remember(text);
    const tell = this.tell.bind(this);
    clearTimeout(this.#timer);
    if (text.length <= longDraft) tell();
    else this.#timer = setTimeout(tell, draftPauseMs);
  }

  /** Tells the host the draft if it does not know it yet. */
  tell(): void {
    this.hold();
    const { conversationId, composer } = this.#parts.state.peek();
    if (conversationId === "" || this.isBehindSend || composer.text === composer.postedText) return;
    if (composer.text.length > hugeDraft) this.#remember(composer.text);
    this.#parts.act({ kind: "draftPosted" });
    const { said } = this.#parts.state.peek().composer;
    const behind = composer.pending === null ? {} : { behind: composer.pending.sendId };
    this.#parts.post({ kind: "draft", conversationId, said, text: composer.text, ...behind });
    // What was left at the last key press stays: the host may end before it has stored this.
    const kept = composer.text.length > longDraft ? rememberedLongDrafts : rememberedDrafts;
    this.#hostDrafts = [...this.#hostDrafts, composer.postedText].slice(-kept);
  }

  /** Does not tell it after the pause: it is being sent. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Sends a message once more that the host may not have got, where a snapshot came that does not say what became of it. It
   * is taken once, however often it is said.
   */
  repeatSend(): void {
    const { conversationId, composer } = this.#parts.state.peek();
    if (composer.pending === null || this.isBehindSend || isCrossed(composer)) return;
    this.#parts.post({ kind: "send", conversationId, said: composer.said, ...composer.pending });
  }

  /** What is in the composer after a message was settled, or when the view came back: nothing of it needs to be left. */
  forget(): void {
    this.#remember(null);
  }

  /** After the editor destroyed this view: what was typed last and is not in the host's draft, before what was typed since. */
  withLeft(before: AppState, state: AppState): AppState {
    const wasOpened = before.conversationId === "" && state.conversationId !== "";
    const leftText = wasOpened ? textFor(state, this.#memory) : null;
    if (leftText === null) return state;
    const text = [leftText, before.composer.text].filter((part) => part !== "").join("\n");
    return act(state, { kind: "typed", text });
  }

  #remember(typedText: string | null): void {
    const { host, state: signal } = this.#parts;
    const state = signal.peek();
    if (typedText === null) this.#hostDrafts = [];
    // While none is open, what an earlier life of this view left for one must not be overwritten.
    const memory =
      state.conversationId === ""
        ? { ...this.#memory, earlyText: state.composer.text }
        : viewMemory(typedText, [...this.#hostDrafts, state.composer.postedText], state);
    this.#memory = { ...memory, files: this.#files };
    host.setState(this.#memory);
  }
}

/** Whether the host says what it has of the composer's text. */
export function saysDraft({ kind }: ToView): boolean {
  return kind === "snapshot" || kind === "draft" || kind === "sendTaken";
}
