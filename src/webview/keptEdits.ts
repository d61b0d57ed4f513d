/** Tells the host what messages and summaries are to say instead, as it tells it the draft: the editor may be closed at any key press. */
import type { Signal } from "@preact/signals";
import type { ToHost } from "../protocol/toHost.ts";
import type { ToViewBody } from "../protocol/toView.ts";
import { draftPauseMs, longDraft } from "./keptDraft.ts";
import { isOf, keyOf, placeOf } from "./messageEdits.ts";
import type { AppState } from "./state.ts";

/** What of the edits of the conversation that is shown is on its way to the host, and what is not yet. */
export class KeptEdits {
  readonly #state: Signal<AppState>;
  readonly #post: (message: ToHost) => void;
  /** The revision of each that the host has, or was told last. */
  readonly #told = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(state: Signal<AppState>, post: (message: ToHost) => void) {
    this.#state = state;
    this.#post = post;
  }

  /** The reader has typed in what has this `key`, or ended: told at once, or after a pause where it is long. */
  note(key: string): void {
    clearTimeout(this.#timer);
    const length = this.#state.peek().messageEdits.get(key)?.text?.length ?? 0;
    if (length <= longDraft) this.tell();
    else this.#timer = setTimeout(this.tell.bind(this), draftPauseMs);
  }

  /** The host says what it has: what it has not got, or lost, it is told once more. */
  receive(message: Extract<ToViewBody, { kind: "snapshot" | "messageEdit" }>): void {
    if (message.kind === "messageEdit") {
      this.#told.set(keyOf(message.conversationId, message.edit), message.edit.revision);
      return;
    }
    const { conversationId, messageEdits } = message.view;
    for (const [key, { text, revision }] of this.#state.peek().messageEdits)
      if (isOf(conversationId, key)) this.#told.set(key, text === null ? revision : 0);
    for (const edit of messageEdits) this.#told.set(keyOf(conversationId, edit), edit.revision);
    this.tell();
  }

  /** Tells the host what it does not know yet of the conversation that is shown. */
  tell(): void {
    clearTimeout(this.#timer);
    const { conversationId, messageEdits } = this.#state.peek();
    if (conversationId === "") return;
    for (const [key, { text, revision, sendId }] of messageEdits) {
      if (!isOf(conversationId, key) || sendId !== null) continue;
      if (revision <= (this.#told.get(key) ?? 0)) continue;
      this.#told.set(key, revision);
      this.#post({ kind: "messageEdit", conversationId, edit: { ...placeOf(key), text, revision } });
    }
  }
}
