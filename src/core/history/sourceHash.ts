/** A short fingerprint of a stretch of the history, to notice that it is no longer what was summarized. */

import type { HistoryEntry, MessageState } from "../message.ts";

/** What of a message a summary depends on; its content never changes. */
export type HashedEntry = Pick<HistoryEntry, "id" | "state">;

/**
 * Hashes ids, states and visibility, in order, into 16 hexadecimal digits. Guards against chance, not against malice: two
 * independent 32-bit FNV-1a lanes.
 */
export function sourceHash(entries: Iterable<HashedEntry>, isVisible: (entry: HashedEntry) => boolean): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (const entry of entries) {
    const mark = STATE_MARKS[entry.state] + (isVisible(entry) ? 0 : 16);
    low = Math.imul(Math.imul(low ^ entry.id, PRIME) ^ mark, PRIME);
    high = Math.imul(Math.imul(high ^ mark, PRIME) ^ entry.id, PRIME) + 0x9e3779b9;
  }
  return hex(high) + hex(low);
}

const PRIME = 16_777_619;
const STATE_MARKS: Readonly<Record<MessageState, number>> = { complete: 1, interrupted: 2, cancelled: 3, failed: 4 };

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
