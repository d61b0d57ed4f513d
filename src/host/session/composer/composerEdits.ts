/** Messages that the user is rewording, and summaries: retained on the disk until they are sent, saved, or given up. */

import type { ForgeError, StorageFailed } from "../../../core/errors.ts";
import { isErased, type MessageRange } from "../../../core/history/summaries/summary.ts";
import { summaryId, type StepId } from "../../../core/ids.ts";
import { type EditPlace, MessageEdits } from "../../../core/journal/messageEdits.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import type { Result } from "../../../core/result.ts";
import { type EditChange, type EditView, editAt, withEditSent } from "../../../protocol/composerDocument.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { ComposerText } from "./composerText.ts";

/** The edits of one conversation. */
export class ComposerEdits {
  readonly #composer: Pick<ComposerText, "tell">;
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #edits: MessageEdits;
  /** Those that are being sent, by the id of that. */
  readonly #sending = new Map<string, EditPlace>();

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

  /** As they are shown. */
  get view(): readonly EditView[] {
    return [...this.#sending].reduce<readonly EditView[]>(
      (edits, [sendId, place]) => withEditSent(edits, place, sendId),
      this.#edits.items,
    );
  }

  /**
   * Retains what a message or a summary is to say instead, or with null that it stays as it is. What no user has said, and no
   * summary says, is left alone.
   */
  async set(edit: EditChange): Promise<void> {
    const { text, revision } = edit;
    const place = this.#placeOf(edit);
    const isReadOnly = this.#opened.store.shape.readOnly === true;
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

  /** The edit of this message is being sent. */
  markSending(edit: { readonly messageId: number }, sendId: string): void {
    const place = this.#placeOf(edit);
    if (place !== undefined && editAt(this.#edits.items, place) !== undefined) this.#sending.set(sendId, place);
    this.#tell();
  }

  /** What was sent so is decided: where it was not taken, it can be sent again. */
  sent(sendId: string): void {
    if (this.#sending.delete(sendId)) this.#tell();
  }

  /** Has `store` store another wording of what stands at `place`, with what ends its edit; when that fails, it stays. */
  async send<T>(
    place: EditPlace,
    store: (drops: readonly JournalWrite[]) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    const sent = await this.#edits.take(place, store);
    if (sent.ok) this.#tell();
    return sent;
  }

  /**
   * Has `erase` erase the messages of `range` for good, with the steps of their edits and of those of summaries that were
   * made of them; when that fails, they stay.
   */
  async erase(
    range: MessageRange,
    erase: (steps: readonly StepId[]) => Promise<Result<void, StorageFailed>>,
  ): Promise<Result<void, StorageFailed>> {
    const { history } = this.#opened.manager;
    const isOfIt = (place: EditPlace): boolean => {
      if ("messageId" in place) return range.start <= place.messageId && place.messageId < range.end;
      if (place.summaryId >= history.summaryCount) return true; // lost in a rescue: nobody knows what it was made of
      const { covers } = history.summary(place.summaryId);
      return covers.start < range.end && range.start < covers.end;
    };
    const erased = await this.#edits.erase(isOfIt, erase);
    if (erased.ok) this.#tell();
    return erased;
  }

  #placeOf(edit: { readonly messageId: number } | { readonly summaryId: number }): EditPlace | undefined {
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
