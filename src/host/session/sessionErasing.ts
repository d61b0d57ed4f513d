/** Permanently erases messages of the open conversation: the only operation that removes text. */

import type { Cancelled, StorageFailed } from "../../core/errors.ts";
import { answerParts } from "../../core/history/continuations.ts";
import { erasurePlaceholder, makeErasure, type ErasedMessage } from "../../core/history/erasure.ts";
import { isErased } from "../../core/history/summaries/summary.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import { textOf } from "../../core/message.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import type { Composer } from "./composer/composer.ts";
import type { SessionRun } from "./sessionRun.ts";
import type { SessionServices } from "./sessionServices.ts";
import type { AutomaticSummaries } from "./summaries/automaticSummaries.ts";
import { titleFrom } from "../transcript/title.ts";

/** What is erased with a message. */
export interface ErasureScope {
  /** More than one for a tool batch: calls and results are erased together. */
  readonly messages: number;
  /** Summaries made from it, including those that are no longer sent. */
  readonly summaries: number;
}

export class SessionErasing {
  readonly #opened: OpenConversation;
  readonly #composer: Composer;
  readonly #summaries: AutomaticSummaries;
  readonly #run: SessionRun;
  readonly #services: SessionServices;

  constructor(
    opened: OpenConversation,
    composer: Composer,
    summaries: AutomaticSummaries,
    run: SessionRun,
    services: SessionServices,
  ) {
    this.#opened = opened;
    this.#composer = composer;
    this.#summaries = summaries;
    this.#run = run;
    this.#services = services;
  }

  erasureScope(id: MessageId): ErasureScope {
    const { history } = this.#opened.conversation;
    const atoms = answerParts(history, id).map((part) => history.atomOf(part));
    const summaries = history.summaries.filter((summary) => {
      const isCovered = atoms.some(({ start, end }) => summary.covers.start < end && start < summary.covers.end);
      return isCovered && !isErased(summary);
    });
    const messages = Math.max(...atoms.map(({ start, end }) => end - start));
    return { messages, summaries: summaries.length };
  }

  /**
   * Erases message `id`, the rest of its answer, the tool calls and results of its batch, and all that was derived from
   * them. `CANCELLED` when something else runs. The composer text is preserved.
   */
  erase(id: MessageId): Promise<Result<void, StorageFailed | Cancelled>> {
    const { history } = this.#opened.conversation;
    return this.eraseMessages(
      answerParts(history, id).flatMap((part) => {
        const { start, end } = history.atomOf(part);
        return Array.from({ length: end - start }, (_, index) => messageId(start + index));
      }),
    );
  }

  /** The same for these messages alone, which another machine erased. */
  async eraseMessages(ids: readonly MessageId[]): Promise<Result<void, StorageFailed | Cancelled>> {
    let outcome: Result<void, StorageFailed | Cancelled> = err({ code: "CANCELLED" });
    this.#summaries.driver.postpone(); // it may be reading the erased messages
    await this.#run.runIfIdle("applying", async () => {
      outcome = await this.#erase(ids);
    });
    return outcome;
  }

  async #erase(ids: readonly MessageId[]): Promise<Result<void, StorageFailed>> {
    const { conversation, store } = this.#opened;
    const { history } = conversation;
    const read = await store.readMessages(ids);
    if (!read.ok) return read;
    const erased: ErasedMessage[] = [];
    for (const { entry, message } of read.value) {
      const left = erasurePlaceholder(message);
      erased.push({ entry, message: left, tokens: await this.#services.messageCounter.count(left) });
    }
    const hadTitle = history.title !== undefined;
    const done = await this.#composer.edits.erase(ids, (steps) =>
      conversation.erase(() =>
        makeErasure(erased, { atMs: this.#services.clock.nowMs(), steps, draft: this.#composer.text }),
      ),
    );
    return done.ok && hadTitle ? this.#restoreTitle() : done;
  }

  /** Erasing drops an automatic title; it is derived again from the first message where that still exists. */
  async #restoreTitle(): Promise<Result<void, StorageFailed>> {
    const { conversation, store } = this.#opened;
    const { history } = conversation;
    const [first] = history.entries;
    if (history.title !== undefined || first === undefined || first.erasedAtMs !== undefined) return ok(undefined);
    const read = await store.readMessages([first.id]);
    if (!read.ok) return read;
    const title = titleFrom(read.value.map(({ message }) => textOf(message)).join(""));
    return conversation.change([{ kind: "title", title, by: "automatic", atMs: this.#services.clock.nowMs() }]);
  }
}
