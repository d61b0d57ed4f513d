/**
 * Messages that were typed while the conversation was busy. They are sent one after another when it is not, unless the last
 * turn did not end well, the window was opened since, or the user is editing one: then they wait for the user.
 */

import type { ForgeError } from "../../../core/errors.ts";
import { stepId, type StepId } from "../../../core/ids.ts";
import { MessageQueue, type QueuedMessage } from "../../../core/journal/messageQueue.ts";
import type { StoreWrite } from "../../../core/store/conversationStore.ts";
import type { Result } from "../../../core/result.ts";
import type { QueueView } from "../../../protocol/composerDocument.ts";
import type { SessionEnvironment } from "../sessionEnvironment.ts";
import type { ComposedConversation } from "./composedConversation.ts";
import type { ComposerText } from "./composerText.ts";

/** The composer, as far as its queue works with it. */
interface QueueComposer extends Pick<ComposerText, "tell"> {
  readonly sending: { sendQueued(message: QueuedMessage): Promise<void> };
}

/** The queue of an open conversation. */
export class ComposerQueue {
  readonly #composer: QueueComposer;
  readonly #conversation: ComposedConversation;
  readonly #environment: SessionEnvironment;
  readonly #queue: MessageQueue;
  #isHeld: boolean;
  #editing: StepId | undefined;

  constructor(composer: QueueComposer, conversation: ComposedConversation, environment: SessionEnvironment) {
    const { store } = conversation.opened;
    this.#composer = composer;
    this.#conversation = conversation;
    this.#environment = environment;
    this.#queue = new MessageQueue(store, environment.clock, store.shape.journal);
    this.#isHeld = this.#queue.items.length > 0;
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
  async add(message: Omit<QueuedMessage, "queueId">, others: readonly StoreWrite[]): Promise<Result<void, ForgeError>> {
    const queueId = stepId(this.#environment.newUuid());
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
    await this.advance();
  }

  /** The page has gone, and with it the edit that it was in; what was typed is stored. */
  async endEdits(): Promise<void> {
    this.#editing = undefined;
    await this.advance();
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
    await this.advance();
  }

  /** Puts a message into the history by `store`, which is given what takes it out of the queue. */
  async take<T>(
    queueId: StepId,
    store: (drop: StoreWrite) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    const stored = await this.#queue.take(queueId, store);
    if (stored.ok) this.#tell();
    return stored;
  }

  /** Sends what may be sent now, until nothing may any more. */
  async advance(): Promise<void> {
    for (;;) {
      const next = this.#queue.items[0];
      const isWaiting = this.#isHeld || this.#editing !== undefined || !this.#conversation.isIdle;
      if (next === undefined || isWaiting) return;
      await this.#composer.sending.sendQueued(next);
    }
  }

  #find(queueId: string): QueuedMessage | undefined {
    return this.#queue.items.find((item) => item.queueId === queueId);
  }

  #done(stored: Result<void, ForgeError>): void {
    if (stored.ok) this.#tell();
    else this.#conversation.showProblem(stored.error);
  }

  #tell(): void {
    if (this.#queue.items.length === 0) this.#isHeld = false;
    this.#composer.tell({ queue: this.view });
  }
}
