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
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { SessionQueue } from "./sessionQueue.ts";

/** What sending works with. */
export interface SendingParts {
  readonly answering: Answering;
  readonly queue: () => SessionQueue;
  readonly draft: SessionDraft;
  /** What goes with the next message. */
  readonly added: SessionAttachments;
  readonly environment: SessionEnvironment;
  /** Nothing runs now. */
  readonly isIdle: () => boolean;
  /** Runs a turn, alone. */
  readonly exclusively: (work: (cancel: AbortSignal) => Promise<void>) => Promise<void>;
  readonly showProblem: (error: ForgeError) => void;
}

/** Sends messages of one conversation. */
export class Sending {
  readonly #parts: SendingParts;
  readonly #taken = new Set<string>();
  /** Refused for good: what was asked once more before the page knew must not be sent behind its back. */
  readonly #refused = new Set<string>();
  /** Those that are on their way: the first asking answers for all. */
  readonly #underWay = new Set<string>();

  constructor(parts: SendingParts) {
    this.#parts = parts;
  }

  /** What the user sent has come, and may wait for what is being added to it: until it is taken, the draft holds it. */
  async came(message: SentMessage): Promise<void> {
    await this.#parts.draft.holds(message);
  }

  /** What a draft holds that was told behind the message `sendId`, which may be taken by now. */
  behind(sendId: string | undefined, draft: string): string {
    return this.#parts.draft.behind(sendId, draft);
  }

  /** Sends what the user typed and has it answered, or puts it into the queue while something runs. */
  async send(sendId: string, text: string): Promise<void> {
    const { environment, isIdle, queue } = this.#parts;
    if (this.#underWay.has(sendId)) return;
    if (this.#taken.has(sendId)) environment.emit({ kind: "sendTaken", sendId });
    else if (this.#refused.has(sendId) || text.trim() === "") environment.emit({ kind: "sendRefused", sendId });
    else if (isIdle() && !queue().isWaitingItsTurn) await this.#sendNow(sendId, text);
    else await this.#enqueue(sendId, text);
  }

  /** Sends a message that waited; one that cannot be sent waits on. */
  async sendQueued({ queueId, text, added }: QueuedMessage): Promise<void> {
    const { answering, exclusively, queue, showProblem } = this.#parts;
    await exclusively(async (cancel) => {
      const asked = await queue().leave(queueId, (drop) =>
        answering.ask(question(text, added), { queueId, drops: [drop] }),
      );
      if (asked.ok) {
        await answering.answer(asked.value, cancel);
      } else {
        queue().hold();
        showProblem(asked.error);
      }
    });
  }

  /**
   * Sends what was asked outside of Forge's own chat, whose composer keeps what stands in it; resolves when it is answered,
   * whichever way, or waits in the queue. An error says why it was not taken.
   */
  async sendFromOutside(text: string): Promise<Result<"answered" | "queued", ForgeError>> {
    const { answering, exclusively, isIdle, queue } = this.#parts;
    if (isIdle() && !queue().isWaitingItsTurn) {
      let taken: Result<"answered", ForgeError> = ok("answered");
      await exclusively(async (cancel) => {
        const asked = await answering.ask(question(text, []), {});
        if (asked.ok) await answering.answer(asked.value, cancel);
        else taken = asked;
      });
      return taken;
    }
    const admitted = await answering.admit(question(text, []));
    const added = admitted.ok ? await queue().add({ text }, []) : admitted;
    if (!added.ok) return added;
    queue().advance().catch(this.#parts.environment.bug);
    return ok("queued");
  }

  async #sendNow(sendId: string, text: string): Promise<void> {
    const { answering, exclusively } = this.#parts;
    this.#underWay.add(sendId);
    const { added, draft } = this.#parts;
    await exclusively(async (cancel) => {
      const asked = await added.send(sendId, (parts, drops) =>
        draft.leave({ sendId, text }, (rest) => answering.ask(question(text, parts), { drops: [rest, ...drops] })),
      );
      if (!asked.ok) {
        this.#refuse(sendId, asked.error);
        return;
      }
      this.#noteTaken({ kind: "sendTaken", sendId });
      await answering.answer(asked.value, cancel);
    });
  }

  /** Durable in the queue before it leaves the composer; refused when it could never be sent. */
  async #enqueue(sendId: string, text: string): Promise<void> {
    const { added, answering, draft, queue } = this.#parts;
    this.#underWay.add(sendId);
    const queued = await added.send(sendId, async (parts, drops) => {
      const admitted = await answering.admit(question(text, parts));
      const item = parts.length === 0 ? { text } : { text, added: parts };
      return admitted.ok ? draft.leave({ sendId, text }, (rest) => queue().add(item, [rest, ...drops])) : admitted;
    });
    if (!queued.ok) {
      this.#refuse(sendId, queued.error);
      return;
    }
    this.#noteTaken({ kind: "sendTaken", sendId, queued: true });
    await queue().advance();
  }

  /** Told to all pages: those that did not send it hold the draft, too. */
  #noteTaken(answer: SendAnswer): void {
    const { draft, environment } = this.#parts;
    this.#taken.add(answer.sendId);
    this.#underWay.delete(answer.sendId);
    environment.emit(answer);
    environment.emit({ kind: "draft", text: draft.text });
  }

  #refuse(sendId: string, error: ForgeError): void {
    this.#underWay.delete(sendId);
    this.#refused.add(sendId);
    this.#parts.environment.emit({ kind: "sendRefused", sendId });
    this.#parts.showProblem(error);
  }
}

/** What was added comes first: models read it before the question. */
function question(text: string, added: readonly AddedPart[] = []): Message {
  return { role: "user", parts: [...added, { kind: "text", text }] };
}
