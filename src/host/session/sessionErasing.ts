/** Erases for good what was said in the open conversation: the one act that takes words out of it. */

import type { ForgeError } from "../../core/errors.ts";
import { erasedMessage, makeErasure, type ErasedMessage } from "../../core/history/erasure.ts";
import { isErased } from "../../core/history/summary.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import { textOf } from "../../core/message.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { Composer } from "./composer/composer.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { SessionSummaries } from "./sessionSummaries.ts";
import { titleFrom } from "../transcript/title.ts";

/** The conversation, as far as erasing in it goes. */
export interface ErasedConversation {
  readonly opened: OpenConversation;
  /** Runs `work` when nothing else runs; answers whether it could. */
  readonly alone: (activity: "applying", work: () => Promise<void>) => Promise<boolean>;
  readonly summaries: Pick<SessionSummaries, "automatic">;
  readonly composer: Pick<Composer, "edits" | "text">;
}

/** What goes with a message. */
export interface ErasingReach {
  /** Messages: more than one when tools were called, whose calls and results are one thing. */
  readonly messages: number;
  /** Summaries that were made of it, also those that are no longer sent. */
  readonly summaries: number;
}

/** Erases in one conversation. */
export class SessionErasing {
  readonly #session: ErasedConversation;
  readonly #environment: SessionEnvironment;

  constructor(session: ErasedConversation, environment: SessionEnvironment) {
    this.#session = session;
    this.#environment = environment;
  }

  /** What erasing message `id` would take. */
  reachOf(id: MessageId): ErasingReach {
    const { history } = this.#session.opened.manager;
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
    this.#session.summaries.automatic.driver.putOff(); // it may be reading what goes
    await this.#session.alone("applying", async () => {
      outcome = await this.#erase(id);
    });
    return outcome;
  }

  async #erase(id: MessageId): Promise<Result<void, ForgeError>> {
    const { manager, store } = this.#session.opened;
    const { start, end } = manager.history.atomOf(id);
    const read = await store.readMessages(Array.from({ length: end - start }, (_, index) => messageId(start + index)));
    if (!read.ok) return read;
    const erased: ErasedMessage[] = [];
    for (const { entry, message } of read.value) {
      const left = erasedMessage(message);
      erased.push({ entry, message: left, tokens: await this.#environment.countTokens(left) });
    }
    const hadTitle = manager.history.title !== undefined;
    const atMs = this.#environment.clock.nowMs();
    const done = await this.#session.composer.edits.erase({ start, end }, async (steps) => {
      const erasure = makeErasure(erased, { atMs, steps, draft: this.#session.composer.text });
      const stored = await store.erase(erasure);
      if (stored.ok) manager.apply(erasure.record);
      return stored;
    });
    if (!done.ok) return done;
    const titled = await this.#restoreTitle(hadTitle);
    await this.#session.summaries.automatic.rebuild();
    this.#environment.changed();
    return titled;
  }

  /** A title that was made of the first message goes with every erasing; where that message is still there, it comes back. */
  async #restoreTitle(hadTitle: boolean): Promise<Result<void, ForgeError>> {
    const { manager, store } = this.#session.opened;
    const [first] = manager.history.entries;
    if (!hadTitle || manager.history.title !== undefined || first === undefined) return ok(undefined);
    if (first.erasedAtMs !== undefined) return ok(undefined);
    const read = await store.readMessages([first.id]);
    if (!read.ok) return read;
    const title = titleFrom(read.value.map(({ message }) => textOf(message)).join(""));
    const record = { kind: "title", title, by: "automatic", atMs: this.#environment.clock.nowMs() } as const;
    const committed = await store.commit([{ kind: "record", record }]);
    if (committed.ok) manager.apply(record);
    return committed;
  }
}
