/**
 * Messages that are always sent unchanged: the newest, the question of the current turn, the pinned ones, and what the
 * user pasted lately.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import { messageId, type MessageId } from "../../ids.ts";
import { recentPastes, type PasteRoom } from "./recentPastes.ts";

/** Messages that no summary may replace, in whole tool batches. */
export interface PreservedMessages {
  /** From here on every visible message is preserved. */
  readonly recentStart: MessageId;
  /** Preserved messages before `recentStart`. */
  readonly older: ReadonlySet<MessageId>;
}

/** Considers the first `end` messages; reads only the newest and the pinned ones. Absent `room`: no pastes. */
export function preservedMessages(
  history: FullHistory,
  end: number,
  preserveRecent: number,
  room?: PasteRoom,
): PreservedMessages {
  const recentStart = startOfRecent(history, end, preserveRecent);
  const older = new Set<MessageId>();
  const preserve = (id: MessageId): void => {
    if (!history.isVisible(history.entry(id))) return;
    const atom = history.atomOf(id);
    for (let each: number = atom.start; each < Math.min(atom.end, recentStart); each++) older.add(messageId(each));
  };
  const question = runningQuestion(history, end);
  if (question !== undefined) preserve(question);
  for (const pinned of history.pins) if (pinned < end) preserve(pinned);
  if (room !== undefined) for (const { id } of recentPastes(history, end, room)) preserve(id);
  return { recentStart, older };
}

export function isPreserved(preserved: PreservedMessages, id: MessageId): boolean {
  return id >= preserved.recentStart || preserved.older.has(id);
}

function startOfRecent(history: FullHistory, end: number, preserveRecent: number): MessageId {
  let missing = preserveRecent;
  for (let id = end - 1; id >= 0; id--) {
    const entry = history.entry(messageId(id));
    if (!history.isVisible(entry)) continue;
    missing--;
    if (missing === 0) return entry.batch ?? entry.id;
  }
  return messageId(0);
}

/**
 * The question that the newest visible one of the first `end` messages answers; `undefined` if there is none. If the
 * message that began its turn is hidden, as after an earlier question was answered anew, the newest visible question.
 */
export function runningQuestion(history: FullHistory, end: number): MessageId | undefined {
  for (let id = end - 1; id >= 0; id--) {
    const entry = history.entry(messageId(id));
    if (!history.isVisible(entry)) continue;
    const begin = history.entry(entry.turn);
    if (begin.role === "user" && history.isVisible(begin)) return begin.id;
    id = begin.id; // no question stands between a message and the one that began its turn
  }
  return undefined;
}
