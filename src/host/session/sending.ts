/** From the composer or the queue into the history, and on to the answer. A message is sent once, however often it is asked. */

import type { ForgeError } from "../../core/errors.ts";
import type { QueuedMessage } from "../../core/journal/messageQueue.ts";
import { ok, type Result } from "../../core/result.ts";
import type { AddedPart } from "../../core/journal/addedParts.ts";
import type { Message } from "../../core/message.ts";
import type { SendAnswer, SentMessage } from "../../protocol/sendAnswer.ts";
import type { SessionAttachments } from "./sessionAttachments.ts";
import type { Answering } from "./answering.ts";
import type { SessionDraft } from "./sessionDraft.ts";
import type { SessionModel } from "./sessionModel.ts";
import type { SessionRun } from "./sessionRun.ts";
import type { SessionServices } from "./sessionServices.ts";
import type { QueueSender, SessionQueue } from "./sessionQueue.ts";

/** Sends messages of one conversation. */
export class Sending implements QueueSender {
  readonly #answering: Answering;
  readonly #draft: SessionDraft;
  readonly #added: SessionAttachments;
  readonly #queue: SessionQueue;
  readonly #model: SessionModel;
  readonly #run: SessionRun;
  readonly #services: SessionServices;
  readonly #taken = new Set<string>();
  /** Refused for good: what was asked once more before the page knew must not be sent behind its back. */
  readonly #refused = new Set<string>();
  /** Those that are on their way: the first asking answers for all. */
  readonly #underWay = new Set<string>();

  constructor(
    answering: Answering,
    draft: SessionDraft,
    added: SessionAttachments,
    queue: SessionQueue,
    model: SessionModel,
    run: SessionRun,
    services: SessionServices,
  ) {
    this.#answering = answering;
    this.#draft = draft;
    this.#added = added;
    this.#queue = queue;
    this.#model = model;
    this.#run = run;
    this.#services = services;
    queue.sender = this;
  }

  /** Sends what waits and may be sent now, until nothing may any more. */
  async advance(): Promise<void> {
    for (let next = this.#queue.next; next !== undefined && this.#run.isIdle; next = this.#queue.next) {
      await this.sendQueued(next);
    }
  }

  /** What the user sent has come, and may wait for what is being added to it: until it is taken, the draft holds it. */
  async came(message: SentMessage): Promise<void> {
    await this.#draft.holds(message);
  }

  /** What a draft holds that was told behind the message `sendId`, which may be taken by now. */
  behind(sendId: string | undefined, draft: string): string {
    return this.#draft.behind(sendId, draft);
  }

  /** Sends what the user typed and has it answered, or puts it into the queue while something runs. */
  async send(sendId: string, text: string): Promise<void> {
    const { view } = this.#services;
    if (this.#underWay.has(sendId)) return;
    if (this.#taken.has(sendId)) view.post({ kind: "sendTaken", sendId });
    else if (this.#refused.has(sendId) || text.trim() === "") view.post({ kind: "sendRefused", sendId });
    else if (this.#run.isIdle && !this.#queue.isWaitingItsTurn) await this.#sendNow(sendId, text);
    else await this.#enqueue(sendId, text);
  }

  /** Sends a message that waited; one that cannot be sent waits on. */
  async sendQueued({ queueId, text, added }: QueuedMessage): Promise<void> {
    await this.#run.turn(async (cancel) => {
      const asked = await this.#queue.leave(queueId, (drop) =>
        this.#answering.ask(question(text, added), { queueId, drops: [drop] }),
      );
      if (asked.ok) {
        await this.#answering.answer(asked.value, cancel);
      } else {
        this.#queue.hold();
        this.#model.showFailure(asked.error);
      }
    });
  }

  /**
   * Sends what was asked outside of Forge's own chat, whose composer keeps what stands in it; resolves when it is answered,
   * whichever way, or waits in the queue. An error says why it was not taken.
   */
  async sendFromOutside(text: string): Promise<Result<"answered" | "queued", ForgeError>> {
    if (this.#run.isIdle && !this.#queue.isWaitingItsTurn) {
      let taken: Result<"answered", ForgeError> = ok("answered");
      await this.#run.turn(async (cancel) => {
        const asked = await this.#answering.ask(question(text, []), {});
        if (asked.ok) await this.#answering.answer(asked.value, cancel);
        else taken = asked;
      });
      return taken;
    }
    const admitted = await this.#answering.admit(question(text, []));
    const added = admitted.ok ? await this.#queue.add({ text }, []) : admitted;
    if (!added.ok) return added;
    this.advance().catch(this.#services.reportBug);
    return ok("queued");
  }

  async #sendNow(sendId: string, text: string): Promise<void> {
    this.#underWay.add(sendId);
    await this.#run.turn(async (cancel) => {
      const asked = await this.#added.send(sendId, (parts, drops) =>
        this.#draft.leave({ sendId, text }, (rest) =>
          this.#answering.ask(question(text, parts), { drops: [rest, ...drops] }),
        ),
      );
      if (!asked.ok) {
        this.#refuse(sendId, asked.error);
        return;
      }
      this.#noteTaken({ kind: "sendTaken", sendId });
      await this.#answering.answer(asked.value, cancel);
    });
  }

  /** Durable in the queue before it leaves the composer; refused when it could never be sent. */
  async #enqueue(sendId: string, text: string): Promise<void> {
    this.#underWay.add(sendId);
    const queued = await this.#added.send(sendId, async (parts, drops) => {
      const admitted = await this.#answering.admit(question(text, parts));
      const item = parts.length === 0 ? { text } : { text, added: parts };
      return admitted.ok
        ? this.#draft.leave({ sendId, text }, (rest) => this.#queue.add(item, [rest, ...drops]))
        : admitted;
    });
    if (!queued.ok) {
      this.#refuse(sendId, queued.error);
      return;
    }
    this.#noteTaken({ kind: "sendTaken", sendId, queued: true });
    await this.advance();
  }

  /** Told to all pages: those that did not send it hold the draft, too. */
  #noteTaken(answer: SendAnswer): void {
    const { view } = this.#services;
    this.#taken.add(answer.sendId);
    this.#underWay.delete(answer.sendId);
    view.post(answer);
    view.post({ kind: "draft", text: this.#draft.text });
  }

  #refuse(sendId: string, error: ForgeError): void {
    this.#underWay.delete(sendId);
    this.#refused.add(sendId);
    this.#services.view.post({ kind: "sendRefused", sendId });
    this.#model.showFailure(error);
  }
}

/** What was added comes first: models read it before the question. */
function question(text: string, added: readonly AddedPart[] = []): Message {
  return { role: "user", parts: [...added, { kind: "text", text }] };
}
