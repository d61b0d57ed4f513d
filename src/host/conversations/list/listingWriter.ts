/** Updates `meta.json`, the list's copy of the open conversation. It may be outdated or lost; it is made anew. */

import { readMeta, writeMeta } from "../../../adapters/node/conversationMeta.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Session } from "../../session/session.ts";
import { listingStateOf } from "./listingState.ts";

/** Delay of the write after a change. */
const DELAY_MS = 500;

export class ListingWriter {
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Schedules a write; changes until then share it. */
  scheduleWrite(session: Session): void {
    this.#cancel ??= this.#clock.after(DELAY_MS, () => void this.write(session));
  }

  /** A failure is ignored until the next write: the list works without the copy. */
  async write(session: Session): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    if (session.isReadOnly) return; // a newer Forge wrote it, with fields that are unknown here
    const { manager, folder } = session.opened;
    const { usedTokens, budgetTokens, summarizedSegments } = manager.usage();
    const before = await readMeta(folder);
    const nowMs = this.#clock.nowMs();
    await writeMeta(folder, {
      version: 1,
      title: session.title,
      createdAtMs: before?.createdAtMs ?? nowMs,
      lastUsedAtMs: nowMs,
      messageCount: manager.history.length,
      provider: session.connection.providerName,
      model: session.connection.model,
      usage: { usedTokens, budgetTokens, summarizedSegments },
      undecided: session.recoverable.length,
      ...listingStateOf(manager.history),
    });
  }
}
