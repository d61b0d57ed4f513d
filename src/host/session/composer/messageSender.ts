/** Moves messages from the composer or the queue into the history and has them answered, each send id once. */

import type { ForgeError } from "../../../core/errors.ts";
import type { AddedPart } from "../../../core/journal/addedParts.ts";
import type { QueuedMessage } from "../../../core/journal/messageQueue.ts";
import type { Message } from "../../../core/message.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { Answering } from "../turn/answering.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { SessionRun } from "../sessionRun.ts";
import type { Composer } from "./composer.ts";
import type { QueueSender } from "./composerQueue.ts";

export class MessageSender implements QueueSender {
  readonly #composer: Composer;
  readonly #answering: Answering;
  readonly #model: SessionModel;
  readonly #run: SessionRun;
  readonly #services: SessionServices;
  /** Send ids ever processed; repeats are ignored. */
  readonly #asked = new Set<string>();

  constructor(
    composer: Composer,
    answering: Answering,
    model: SessionModel,
    run: SessionRun,
    services: SessionServices,
  ) {
    this.#composer = composer;
    this.#answering = answering;
    this.#model = model;
    this.#run = run;
    this.#services = services;
    composer.queue.sender = this;
  }

  async advance(): Promise<void> {
    const { queue } = this.#composer;
    for (let next = queue.next; next !== undefined && this.#run.isIdle; next = queue.next) await this.#sendQueued(next);
  }

  /** Sends the message and has it answered, or queues it while something runs. */
  async send(sendId: string, text: string): Promise<void> {
    if (this.#asked.has(sendId)) return;
    this.#asked.add(sendId);
    const { queue } = this.#composer;
    this.#composer.registerSending({ sendId, text });
    if (text.trim() === "") this.#composer.refuse(sendId);
    else if (this.#run.isIdle && !queue.mustQueue) await this.#sendNow(sendId);
    else await this.#enqueue(sendId);
  }

  /** Rejects a message; its text stays. Noted as processed: a repeated request must not send it unnoticed. */
  refuse(sendId: string): void {
    this.#asked.add(sendId);
    this.#composer.refuse(sendId);
  }

  /** A message that cannot be sent stays in the queue. */
  async #sendQueued({ queueId, text, added }: QueuedMessage): Promise<void> {
    const { queue } = this.#composer;
    await this.#run.runTurn(async (cancel) => {
      const asked = await queue.take(queueId, (drop) =>
        this.#answering.ask(question(text, added), { queueId, drops: [drop] }),
      );
      if (asked.ok) {
        await this.#answering.answer(asked.value, cancel);
      } else {
        queue.hold();
        this.#model.showFailure(asked.error);
      }
    });
  }

  /**
   * Sends a question asked outside of Forge's chat; the composer stays unchanged. Resolves when it is answered, in any
   * way, or queued; an error says why it was rejected.
   */
  async sendExternal(text: string): Promise<Result<"answered" | "queued", ForgeError>> {
    const { queue } = this.#composer;
    if (this.#run.isIdle && !queue.mustQueue) {
      let taken: Result<"answered", ForgeError> = ok("answered");
      await this.#run.runTurn(async (cancel) => {
        const asked = await this.#answering.ask(question(text), {});
        if (asked.ok) await this.#answering.answer(asked.value, cancel);
        else taken = asked;
      });
      return taken;
    }
    const admitted = await this.#answering.admit(question(text));
    const added = admitted.ok ? await queue.add({ text }, []) : admitted;
    if (!added.ok) return added;
    this.advance().catch(this.#services.reportBug);
    return ok("queued");
  }

  async #sendNow(sendId: string): Promise<void> {
    await this.#run.runTurn(async (cancel) => {
      const asked = await this.#take(sendId, "now", (message, drops) => this.#answering.ask(message, { drops }));
      if (asked.ok) await this.#answering.answer(asked.value, cancel);
    });
  }

  /** Durable in the queue before it leaves the composer; rejected when it could never be sent. */
  async #enqueue(sendId: string): Promise<void> {
    const { queue } = this.#composer;
    await this.#take(sendId, "queued", async (message, drops, text, added) => {
      const admitted = await this.#answering.admit(message);
      return admitted.ok ? queue.add(added.length === 0 ? { text } : { text, added }, drops) : admitted;
    });
    await this.advance();
  }

  /** Has `store` save the message with the writes that remove it from the composer; rejects it on failure. */
  async #take<T>(
    sendId: string,
    sent: "now" | "queued",
    store: (
      message: Message,
      drops: readonly JournalWrite[],
      text: string,
      added: readonly AddedPart[],
    ) => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    const taken = await this.#composer.attachments.send(sendId, async (added, drops) => {
      const message = this.#composer.messageOf(sendId);
      if (message === undefined || message.text.trim() === "") return err(NOTHING_LEFT);
      const { text } = message;
      return this.#composer.take(message, sent, (rest) => store(question(text, added), [rest, ...drops], text, added));
    });
    if (taken.ok) return taken;
    this.#composer.refuse(sendId);
    if (taken.error !== NOTHING_LEFT) this.#model.showFailure(taken.error);
    return taken;
  }
}

/** Another page sent the same text at the same moment. */
const NOTHING_LEFT: ForgeError = { code: "CANCELLED" };

/** Attachments come first: models read them before the question. */
function question(text: string, added: readonly AddedPart[] = []): Message {
  return { role: "user", parts: [...added, { kind: "text", text }] };
}
