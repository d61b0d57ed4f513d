/** Erases for good what was said in the open conversation: the one act that takes words out of it. */

import type { ForgeError } from "../../core/errors.ts";
import { erasedMessage, makeErasure, type ErasedMessage } from "../../core/history/erasure.ts";
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

/** What goes with a message. */
export interface ErasingReach {
  /** Messages: more than one when tools were called, whose calls and results are one thing. */
  readonly messages: number;
  /** Summaries that were made of it, also those that are no longer sent. */
  readonly summaries: number;
}

/** Erases in one conversation. */
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

  /** What erasing message `id` would take. */
  reachOf(id: MessageId): ErasingReach {
    const { history } = this.#opened.conversation;
    const { start, end } = history.atomOf(id);
    const summaries = history.summaries.filter((summary) => {
      return summary.covers.start < end && start < summary.covers.end && !isErased(summary);
    });
    return { messages: end - start, summaries: summaries.length };
  }

  /**
   * Erases the words of message `id`, with the calls and results that belong to it and all that was made of them. `CANCELLED`
   * when something else runs. What stands in the composer is kept.
   */
  async erase(id: MessageId): Promise<Result<void, ForgeError>> {
    let outcome: Result<void, ForgeError> = err({ code: "CANCELLED" });
    this.#summaries.driver.putOff(); // it may be reading what goes
    await this.#run.whenIdle("applying", async () => {
      outcome = await this.#erase(id);
    });
    return outcome;
  }

  async #erase(id: MessageId): Promise<Result<void, ForgeError>> {
    const { conversation, store } = this.#opened;
    const { history } = conversation;
    const { start, end } = history.atomOf(id);
    const read = await store.readMessages(Array.from({ length: end - start }, (_, index) => messageId(start + index)));
    if (!read.ok) return read;
    const erased: ErasedMessage[] = [];
    for (const { entry, message } of read.value) {
      const left = erasedMessage(message);
      erased.push({ entry, message: left, tokens: await this.#services.messageCounter.count(left) });
    }
    const hadTitle = history.title !== undefined;
    const done = await this.#composer.edits.erase({ start, end }, (steps) =>
      conversation.erase(() =>
        makeErasure(erased, { atMs: this.#services.clock.nowMs(), steps, draft: this.#composer.text }),
      ),
    );
    return done.ok && hadTitle ? this.#restoreTitle() : done;
  }

  /** A title that was made of the first message goes with every erasing; where that message is still there, it comes back. */
  async #restoreTitle(): Promise<Result<void, ForgeError>> {
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
