/**
 * Messages typed while the conversation was busy, sent one after another when it is idle. After a turn that did not end
 * well, after reopening, and while the user edits one, they wait for the user.
 */

import type { ForgeError } from "../../../core/errors.ts";
import { stepId, type StepId } from "../../../core/ids.ts";
import { MessageQueue, type QueuedMessage } from "../../../core/journal/messageQueue.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import type { Result } from "../../../core/result.ts";
import type { QueueView } from "../../../protocol/composerDocument.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { ComposerText } from "./composerText.ts";

export interface QueueSender {
  /** Sends queued messages until none may be sent. */
  advance(): Promise<void>;
}

export class ComposerQueue {
  readonly #composer: Pick<ComposerText, "tell">;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #queue: MessageQueue;
  #isHeld: boolean;
  #editing: StepId | undefined;

  /** Notified when a message may be sent. */
  sender: QueueSender = { advance: () => Promise.resolve() };

  constructor(
    composer: Pick<ComposerText, "tell">,
    { store }: OpenConversation,
    model: SessionModel,
    services: SessionServices,
  ) {
    this.#composer = composer;
    this.#model = model;
    this.#services = services;
    this.#queue = new MessageQueue(store, services.clock, store.shape.journal);
    this.#isHeld = this.#queue.items.length > 0;
  }

  /** The message to send next; `undefined` while the queue is held or edited. */
  get next(): QueuedMessage | undefined {
    return this.#isHeld || this.#editing !== undefined ? undefined : this.#queue.items[0];
  }

  get view(): QueueView {
    return { items: this.#queue.items.map(({ queueId, text }) => ({ queueId, text })), isHeld: this.#isHeld };
  }

  /** Whether a new message has to queue after others. */
  get mustQueue(): boolean {
    return this.#queue.items.length > 0 && !this.#isHeld;
  }

  /** Appends a message, durable together with `others`. */
  async add(
    message: Omit<QueuedMessage, "queueId">,
    others: readonly JournalWrite[],
  ): Promise<Result<void, ForgeError>> {
    const queueId = stepId(this.#services.newUuid());
    const added = await this.#queue.add({ queueId, ...message }, others);
    if (added.ok) this.#tell();
    return added;
  }

  /** The user starts or ends editing a message; one without text is removed. */
  async edit(queueId: string, isOn: boolean): Promise<void> {
    const item = this.#find(queueId);
    if (isOn) {
      this.#editing = item?.queueId;
      return;
    }
    if (this.#editing === queueId) this.#editing = undefined;
    if (item?.text.trim() === "") await this.remove(queueId);
    await this.sender.advance();
  }

  /** The page that edited a message is gone; what was typed there is stored. */
  async endEdits(): Promise<void> {
    this.#editing = undefined;
    await this.sender.advance();
  }

  async change(queueId: string, text: string): Promise<void> {
    const item = this.#find(queueId);
    if (item !== undefined) this.#done(await this.#queue.change({ ...item, text }));
  }

  async remove(queueId: string): Promise<void> {
    const item = this.#find(queueId);
    if (item !== undefined) this.#done(await this.#queue.remove(item.queueId));
  }

  /** Stops automatic sending, because a turn did not end well. */
  hold(): void {
    if (this.#isHeld || this.#queue.items.length === 0) return;
    this.#isHeld = true;
    this.#tell();
  }

  /** Resumes sending at the user's request. */
  async release(): Promise<void> {
    this.#isHeld = false;
    this.#tell();
    await this.sender.advance();
  }

  /** Has `store` add a message to the history, together with the write that removes it from the queue. */
  async take<T>(
    queueId: StepId,
    store: (drop: JournalWrite) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    const stored = await this.#queue.take(queueId, store);
    if (stored.ok) this.#tell();
    return stored;
  }

  #find(queueId: string): QueuedMessage | undefined {
    return this.#queue.items.find((item) => item.queueId === queueId);
  }

  #done(stored: Result<void, ForgeError>): void {
    if (stored.ok) this.#tell();
    else this.#model.showFailure(stored.error);
  }

  #tell(): void {
    if (this.#queue.items.length === 0) this.#isHeld = false;
    this.#composer.tell({ queue: this.view });
  }
}
