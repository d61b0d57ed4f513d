/**
 * Messages that were typed while the conversation was busy. They are sent one after another when it is not, unless the last
 * turn did not end well, the window was opened since, or the user is editing one: then they wait for the user.
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

/** The port to whoever sends what waits. */
export interface QueueSender {
  /** Sends what waits and may be sent now, until nothing may any more. */
  advance(): Promise<void>;
}

/** The queue of an open conversation. */
export class ComposerQueue {
  readonly #composer: Pick<ComposerText, "tell">;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #queue: MessageQueue;
  #isHeld: boolean;
  #editing: StepId | undefined;

  /** Told when something may be sent. */
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

  /** The message that is to be sent next; `undefined` where none may be. */
  get next(): QueuedMessage | undefined {
    return this.#isHeld || this.#editing !== undefined ? undefined : this.#queue.items[0];
  }

  /** As it is shown. */
  get view(): QueueView {
    return { items: this.#queue.items.map(({ queueId, text }) => ({ queueId, text })), isHeld: this.#isHeld };
  }

  /** Whether a message that is sent now has to wait for others. */
  get isWaitingItsTurn(): boolean {
    return this.#queue.items.length > 0 && !this.#isHeld;
  }

  /** Puts a message at the end, durable together with `others`. */
  async add(
    message: Omit<QueuedMessage, "queueId">,
    others: readonly JournalWrite[],
  ): Promise<Result<void, ForgeError>> {
    const queueId = stepId(this.#services.newUuid());
    const added = await this.#queue.add({ queueId, ...message }, others);
    if (added.ok) this.#tell();
    return added;
  }

  /** The user begins or ends to edit a message. One that is left without words is taken away. */
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

  /** The page has gone, and with it the edit that it was in; what was typed is stored. */
  async endEdits(): Promise<void> {
    this.#editing = undefined;
    await this.sender.advance();
  }

  /** What a message says now. */
  async change(queueId: string, text: string): Promise<void> {
    const item = this.#find(queueId);
    if (item !== undefined) this.#done(await this.#queue.change({ ...item, text }));
  }

  /** Takes a message away. */
  async remove(queueId: string): Promise<void> {
    const item = this.#find(queueId);
    if (item !== undefined) this.#done(await this.#queue.remove(item.queueId));
  }

  /** From now on nothing is sent by itself, because a turn did not end well. */
  hold(): void {
    if (this.#isHeld || this.#queue.items.length === 0) return;
    this.#isHeld = true;
    this.#tell();
  }

  /** The user says that what waits is to be sent. */
  async release(): Promise<void> {
    this.#isHeld = false;
    this.#tell();
    await this.sender.advance();
  }

  /** Puts a message into the history by `store`, which is given what takes it out of the queue. */
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
