/** What stands in the composer, as far as the host was told, and whether it is stored. */

import type { StorageFailed } from "../../core/errors.ts";
import type { ConversationStore } from "../../core/ports.ts";
import { ok, type Result } from "../../core/result.ts";

/** The draft of one conversation. */
export class SessionDraft {
  readonly #store: ConversationStore;
  #text: string;
  #isStored = true;

  constructor(store: ConversationStore) {
    this.#store = store;
    this.#text = store.shape.draft;
  }

  /** What was told last. */
  get text(): string {
    return this.#text;
  }

  /** The same, where it could not be stored: closing would lose it. Empty when there is none. */
  get unstored(): string {
    return this.#isStored ? "" : this.#text;
  }

  /** Keeps what stands in the composer; where nothing can be stored, for the conversation that is opened next. */
  async set(text: string): Promise<Result<void, StorageFailed>> {
    this.#text = text;
    if (this.#store.shape.readOnly === true) {
      this.#isStored = text === this.#store.shape.draft;
      return ok(undefined);
    }
    const committed = await this.#store.commit([{ kind: "draft", text }]);
    this.#isStored = committed.ok;
    return committed;
  }

  /** It became a message, and is empty on the disk already. */
  emptied(): void {
    this.#text = "";
    this.#isStored = true;
  }
}
