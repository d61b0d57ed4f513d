/** What stands in the composer, as far as the host was told, and whether it is stored. */

import type { StorageFailed } from "../../core/errors.ts";
import type { JournalStore, JournalWrite } from "../../core/store/conversationStore.ts";
import { ok, type Result } from "../../core/result.ts";
import { restOfDraft, type SentMessage } from "../../protocol/sendAnswer.ts";

/** The draft of one conversation. */
export class SessionDraft {
  readonly #store: JournalStore;
  #text: string;
  #isStored = true;
  /** How often it was told. */
  #told = 0;
  /** Messages that it held when they came. */
  readonly #held = new Set<string>();
  /** The newest message that was taken out of it. */
  #left: SentMessage | undefined;

  constructor(store: JournalStore) {
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
    this.#told += 1;
    if (this.#store.shape.readOnly === true) {
      this.#isStored = text === this.#store.shape.draft;
      return ok(undefined);
    }
    const committed = await this.#store.commit([{ kind: "draft", text }]);
    this.#isStored = committed.ok;
    return committed;
  }

  /** A message is on its way: what is told from now on stands behind it, or in its place. Once, however often it is said. */
  async holds(message: SentMessage): Promise<void> {
    if (this.#begin(message)) await this.set(message.text); // where that fails, the message cannot be stored either
  }

  /** What is left of a draft that was told by who did not know yet that the message `sendId` was taken out of it. */
  behind(sendId: string | undefined, draft: string): string {
    return sendId !== undefined && this.#left?.sendId === sendId ? restOfDraft(draft, this.#left.text) : draft;
  }

  /**
   * Has `store` make a message of `text`, with the write that takes it out of here. What else was typed stays, in whichever
   * page, also while it is being stored.
   */
  async leave<T, E>(message: SentMessage, store: (rest: JournalWrite) => Promise<Result<T, E>>): Promise<Result<T, E>> {
    this.#begin(message);
    const { text } = message;
    const told = this.#told;
    const left = await store({ kind: "draft", text: restOfDraft(this.#text, text) });
    if (!left.ok) return left;
    const rest = restOfDraft(this.#text, text);
    this.#left = message;
    if (told === this.#told) {
      this.#text = rest;
      this.#isStored = true;
    } else await this.set(rest);
    return left;
  }

  /** Has it hold a message that is new here; answers whether it held something else, or less. */
  #begin({ sendId, text }: SentMessage): boolean {
    const isOther = !this.#held.has(sendId) && !this.#text.startsWith(text);
    this.#held.add(sendId);
    if (isOther) this.#text = text;
    return isOther;
  }
}
