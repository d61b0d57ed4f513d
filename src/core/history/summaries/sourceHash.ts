/** Fingerprint of a range of the history, to detect that a summary's source has changed. */

import type { HistoryEntry, MessageState } from "../../message.ts";

/** The fields that a summary depends on; content changes only by erasure. */
export type HashedEntry = Pick<HistoryEntry, "id" | "state" | "erasedAtMs" | "leftOut">;

/**
 * Hashes ids, states, visibility, erasures and exclusions, in order, into 16 hexadecimal digits. Detects accidental
 * changes, not malice: two independent 32-bit FNV-1a lanes.
 */
export function sourceHash(entries: Iterable<HashedEntry>, isVisible: (entry: HashedEntry) => boolean): string {
  return new SourceHash().with(entries, isVisible).hex;
}

/** The hash of a range from its beginning on: it can be continued to that of a longer range. */
export class SourceHash {
  readonly #lanes: TwoLanes;

  constructor(lanes = new TwoLanes()) {
    this.#lanes = lanes;
  }

  get hex(): string {
    return this.#lanes.hex;
  }

  /** Of the range with `entries`, which follow it. */
  with(entries: Iterable<HashedEntry>, isVisible: (entry: HashedEntry) => boolean): SourceHash {
    const lanes = Object.assign(new TwoLanes(), this.#lanes);
    for (const entry of entries) {
      const erased = entry.erasedAtMs === undefined ? 0 : 32;
      lanes.add(entry.id, STATE_MARKS[entry.state] + (isVisible(entry) ? 0 : 16) + erased);
      for (const part of entry.leftOut ?? []) lanes.add(entry.id, EXCLUDED_MARK + part);
    }
    return new SourceHash(lanes);
  }
}

/** The same hash over a text. */
export function fingerprint(text: string): string {
  const hash = new TwoLanes();
  for (let index = 0; index < text.length; index++) hash.add(index, text.charCodeAt(index));
  return hash.hex;
}

class TwoLanes {
  low = 0x811c9dc5;
  high = 0xcbf29ce4;

  add(id: number, mark: number): void {
    this.low = Math.imul(Math.imul(this.low ^ id, PRIME) ^ mark, PRIME);
    this.high = Math.imul(Math.imul(this.high ^ mark, PRIME) ^ id, PRIME) + 0x9e3779b9;
  }

  get hex(): string {
    return hexOf(this.high) + hexOf(this.low);
  }
}

const PRIME = 16_777_619;
/** Greater than any mark of a message. */
const EXCLUDED_MARK = 64;
const STATE_MARKS: Readonly<Record<MessageState, number>> = { complete: 1, interrupted: 2, cancelled: 3, failed: 4 };

function hexOf(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
