/** Messages of the open conversation that the user is saying anew: kept on the disk until they are sent or given up. */

import type { ForgeError, StorageFailed } from "../../core/errors.ts";
import type { MessageRange } from "../../core/history/summary.ts";
import type { MessageId, StepId } from "../../core/ids.ts";
import { MessageEdits } from "../../core/journal/messageEdits.ts";
import type { StoreWrite } from "../../core/ports.ts";
import type { Result } from "../../core/result.ts";
import type { MessageEditView } from "../../protocol/messageEditView.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";

/** What keeping edits works with. */
export interface SessionEditsParts {
  readonly opened: OpenConversation;
  readonly environment: Pick<SessionEnvironment, "clock" | "newUuid" | "emit">;
  readonly showProblem: (error: ForgeError) => void;
}

/** The edits of one conversation. */
export class SessionEdits {
  readonly #parts: SessionEditsParts;
  readonly #edits: MessageEdits;

  constructor(parts: SessionEditsParts) {
    this.#parts = parts;
    this.#edits = new MessageEdits(parts.opened.store, parts.environment);
  }

  /** As they are shown. */
  get view(): readonly MessageEditView[] {
    return this.#edits.items;
  }

  /** Keeps what a message is to say instead, or with null that it stays as it is. What no user has said is left alone. */
  async set({ messageId, text, revision }: MessageEditView): Promise<void> {
    const { manager, store } = this.#parts.opened;
    const entry = manager.history.entries[messageId];
    if (store.shape.readOnly === true || entry?.role !== "user" || entry.erasedAtMs !== undefined) return;
    const { id } = entry;
    const stored = text === null ? this.#edits.end(id, revision) : this.#edits.set({ messageId: id, text, revision });
    this.#done(await stored);
  }

  /** Has `store` store another wording of message `id`, with what ends its edit; when that fails, it stays. */
  async send<T>(
    id: MessageId,
    store: (drops: readonly StoreWrite[]) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    return this.#telling(() => this.#edits.leave(id, store));
  }

  /** Has `erase` erase the messages of `range` for good, with the steps of their edits; when that fails, they stay. */
  async erase(
    range: MessageRange,
    erase: (steps: readonly StepId[]) => Promise<Result<void, StorageFailed>>,
  ): Promise<Result<void, StorageFailed>> {
    return this.#telling(() => this.#edits.erase(range, erase));
  }

  /** Tells the views which edits have ended when `work` has. */
  async #telling<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const before = this.#edits.items;
    const outcome = await work();
    const left = new Set(this.#edits.items.map(({ messageId }) => messageId));
    const conversationId = this.#parts.opened.id;
    for (const { messageId, revision } of before.filter((edit) => !left.has(edit.messageId)))
      this.#parts.environment.emit({
        kind: "messageEdit",
        conversationId,
        edit: { messageId, text: null, revision: revision + 1 },
      });
    return outcome;
  }

  #done(stored: Result<void, StorageFailed>): void {
    if (!stored.ok) this.#parts.showProblem(stored.error);
  }
}
