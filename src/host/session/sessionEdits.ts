/**
 * Messages of the open conversation that the user is saying anew, and summaries that they are changing: kept on the disk until
 * they are sent, or saved, or given up.
 */

import type { ForgeError, StorageFailed } from "../../core/errors.ts";
import { isErased, type MessageRange } from "../../core/history/summary.ts";
import { summaryId, type StepId } from "../../core/ids.ts";
import { type EditPlace, MessageEdits } from "../../core/journal/messageEdits.ts";
import type { JournalWrite } from "../../core/store/conversationStore.ts";
import type { Result } from "../../core/result.ts";
import type { EditView } from "../../protocol/messageEditView.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { SessionModel } from "./sessionModel.ts";
import type { SessionServices } from "./sessionServices.ts";

/** The edits of one conversation. */
export class SessionEdits {
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #edits: MessageEdits;

  constructor(opened: OpenConversation, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#model = model;
    this.#services = services;
    this.#edits = new MessageEdits(opened.store, services);
  }

  /** As they are shown. */
  get view(): readonly EditView[] {
    return this.#edits.items;
  }

  /**
   * Keeps what a message or a summary is to say instead, or with null that it stays as it is. What no user has said, and no
   * summary says, is left alone.
   */
  async set(edit: EditView): Promise<void> {
    const { text, revision } = edit;
    const place = this.#placeOf(edit);
    if (this.#opened.store.shape.readOnly === true || place === undefined) return;
    const stored = text === null ? this.#edits.end(place, revision) : this.#edits.set({ ...place, text, revision });
    this.#done(await stored);
  }

  /** Has `store` store another wording of what stands at `place`, with what ends its edit; when that fails, it stays. */
  async send<T>(
    place: EditPlace,
    store: (drops: readonly JournalWrite[]) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    return this.#telling(() => this.#edits.leave(place, store));
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
    return this.#telling(() => this.#edits.erase(isOfIt, erase));
  }

  /** Tells the views which edits have ended when `work` has. */
  async #telling<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const before = this.#edits.items;
    const outcome = await work();
    const left = new Set(this.#edits.items.map(nameOf));
    const conversationId = this.#opened.id;
    for (const edit of before.filter((each) => !left.has(nameOf(each))))
      this.#services.view.post({
        kind: "messageEdit",
        conversationId,
        edit: { ...edit, text: null, revision: edit.revision + 1 },
      });
    return outcome;
  }

  #placeOf(edit: EditView): EditPlace | undefined {
    const { history } = this.#opened.manager;
    if ("messageId" in edit) {
      const entry = history.entries[edit.messageId];
      return entry?.role === "user" && entry.erasedAtMs === undefined ? { messageId: entry.id } : undefined;
    }
    const id = summaryId(edit.summaryId);
    return id < history.summaryCount && !isErased(history.summary(id)) ? { summaryId: id } : undefined;
  }

  #done(stored: Result<void, StorageFailed>): void {
    if (!stored.ok) this.#model.showFailure(stored.error);
  }
}

function nameOf(place: EditPlace): string {
  return "messageId" in place ? `message-${String(place.messageId)}` : `summary-${String(place.summaryId)}`;
}
