/** Messages and summaries being edited: on disk until they are sent, saved or discarded. */

import type { EditChange } from "../../../protocol/toHost.ts";
import type { ForgeError, StorageFailed } from "../../../core/errors.ts";
import { isErased } from "../../../core/history/summaries/summary.ts";
import { summaryId, type MessageId, type StepId } from "../../../core/ids.ts";
import { type EditTarget, MessageEdits } from "../../../core/journal/messageEdits.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import type { Result } from "../../../core/result.ts";
import { type EditView, editAt, withEditSent } from "../../../protocol/composerDocument.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { ComposerText } from "./composerText.ts";

export class ComposerEdits {
  readonly #composer: Pick<ComposerText, "tell">;
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #edits: MessageEdits;
  /** Edits being sent, by send id. */
  readonly #sending = new Map<string, EditTarget>();

  constructor(
    composer: Pick<ComposerText, "tell">,
    opened: OpenConversation,
    model: SessionModel,
    services: SessionServices,
  ) {
    this.#composer = composer;
    this.#opened = opened;
    this.#model = model;
    this.#edits = new MessageEdits(opened.store, services);
  }

  get view(): readonly EditView[] {
    return [...this.#sending].reduce<readonly EditView[]>(
      (edits, [sendId, place]) => withEditSent(edits, place, sendId),
      this.#edits.items,
    );
  }

  /**
   * Stores the new text of a message or a summary; null discards the edit. Ignores what is neither a user message nor a
   * summary, and what was erased.
   */
  async set(edit: EditChange): Promise<void> {
    const { text, revision } = edit;
    const place = this.#placeOf(edit);
    const isReadOnly = this.#opened.store.shape.readOnly !== undefined;
    const stored =
      isReadOnly || place === undefined
        ? undefined
        : text === null
          ? this.#edits.end(place, revision)
          : this.#edits.set({ ...place, text, revision });
    this.#tell();
    const outcome = await stored;
    if (outcome?.ok === false) this.#model.showFailure(outcome.error);
  }

  markSending(edit: { readonly messageId: number }, sendId: string): void {
    const place = this.#placeOf(edit);
    if (place !== undefined && editAt(this.#edits.items, place) !== undefined) this.#sending.set(sendId, place);
    this.#tell();
  }

  /** The send is settled; an edit that was not accepted can be sent again. */
  sent(sendId: string): void {
    if (this.#sending.delete(sendId)) this.#tell();
  }

  /** Has `store` save the new version of `place` together with the end of its edit. On failure the edit stays. */
  async send<T>(
    place: EditTarget,
    store: (drops: readonly JournalWrite[]) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    const sent = await this.#edits.take(place, store);
    if (sent.ok) this.#tell();
    return sent;
  }

  /**
   * Has `erase` erase the messages `ids`, with the journal steps of their edits and of edits of summaries made
   * from them. On failure the edits stay.
   */
  async erase(
    ids: readonly MessageId[],
    erase: (steps: readonly StepId[]) => Promise<Result<void, StorageFailed>>,
  ): Promise<Result<void, StorageFailed>> {
    const { history } = this.#opened.manager;
    const isOfIt = (place: EditTarget): boolean => {
      if ("messageId" in place) return ids.includes(place.messageId);
      if (place.summaryId >= history.summaryCount) return true; // lost in a rescue: its messages are unknown
      const { covers } = history.summary(place.summaryId);
      return ids.some((id) => covers.start <= id && id < covers.end);
    };
    const erased = await this.#edits.erase(isOfIt, erase);
    if (erased.ok) this.#tell();
    return erased;
  }

  #placeOf(edit: { readonly messageId: number } | { readonly summaryId: number }): EditTarget | undefined {
    const { history } = this.#opened.manager;
    if ("messageId" in edit) {
      const entry = history.entries[edit.messageId];
      return entry?.role === "user" && entry.erasedAtMs === undefined ? { messageId: entry.id } : undefined;
    }
    const id = summaryId(edit.summaryId);
    return id < history.summaryCount && !isErased(history.summary(id)) ? { summaryId: id } : undefined;
  }

  #tell(): void {
    this.#composer.tell({ edits: this.view });
  }
}
