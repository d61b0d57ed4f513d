/** Keeps `meta.json`, the list's copy of the open conversation, near the truth. It may lag and may be lost: it is a copy. */

import { readMeta, writeMeta } from "../../../adapters/node/conversationMeta.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Session } from "../../session/session.ts";
import { listPlaceOf } from "./listPlace.ts";

/** A pause this long after a change, and the copy is written. */
const DELAY_MS = 500;

/** Writes the copy of one open conversation at a time. */
export class ListingCopy {
  readonly #clock: Clock;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Has the copy written soon; many changes make one write. */
  note(session: Session): void {
    this.#cancel ??= this.#clock.after(DELAY_MS, () => void this.write(session));
  }

  /** Writes the copy now. A failure is left to the next write: the list can do without. */
  async write(session: Session): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    if (session.isReadOnly) return; // the newer Forge that wrote it may keep more in the copy than is known here
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
      ...listPlaceOf(manager.history),
    });
  }
}
