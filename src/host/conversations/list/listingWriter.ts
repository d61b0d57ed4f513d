/**
 * Updates `meta.json`, the list's copy of the open conversation. It may be outdated or lost; it is made anew. Written
 * after each commit of records, beside the commits: its counts tell the next opening what must be there.
 */

import { readMeta, writeMeta } from "../../../adapters/node/conversationMeta.ts";
import type { Clock } from "../../../core/clock.ts";
import { WorkQueue } from "../../../core/workQueue.ts";
import type { Session } from "../../session/session.ts";
import { listingStateOf } from "./listingState.ts";

/** Delay of the write after a change. */
const DELAY_MS = 500;

export class ListingWriter {
  readonly #clock: Clock;
  readonly #writes = new WorkQueue();
  #cancel: (() => void) | undefined;
  #waiting: { readonly session: Session; readonly written: Promise<void> } | undefined;
  /** The last state that was written. */
  #written: { readonly session: Session; readonly recordCount: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Writes at once when records were committed, else later; changes until then share the write. */
  scheduleWrite(session: Session): void {
    const isStored = this.#written?.session === session;
    if (isStored && this.#written?.recordCount === session.opened.conversation.recordCount)
      this.#cancel ??= this.#clock.after(DELAY_MS, () => void this.write(session));
    else void this.write(session);
  }

  /** A failure is ignored until the next write: the list works without the copy. */
  write(session: Session): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    if (session.isReadOnly) return Promise.resolve(); // nothing can be saved, or a newer Forge wrote fields that are unknown here
    if (this.#waiting?.session !== session)
      this.#waiting = { session, written: this.#writes.run(() => this.#writeNow(session)) };
    return this.#waiting.written;
  }

  async #writeNow(session: Session): Promise<void> {
    this.#waiting = undefined;
    const { manager, folder, conversation } = session.opened;
    const before = await readMeta(folder);
    const { usedTokens, budgetTokens, summarizedSegments } = manager.usage();
    const nowMs = this.#clock.nowMs();
    const { recordCount } = conversation;
    this.#written = { session, recordCount };
    await writeMeta(folder, {
      version: 1,
      title: session.title,
      createdAtMs: before?.createdAtMs ?? nowMs,
      lastUsedAtMs: nowMs,
      messageCount: manager.history.length,
      recordCount,
      provider: session.connection.providerName,
      model: session.connection.model,
      usage: { usedTokens, budgetTokens, summarizedSegments },
      undecided: session.recoverableCount,
      ...listingStateOf(manager.history),
      projects: manager.history.projects,
    });
  }
}
