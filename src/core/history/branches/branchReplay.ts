/**
 * Rebuilds branches where only messages are stored: in a document. The parent of a message is the last one that is
 * visible when it is added, so the messages between are hidden before it, and shown again at the end.
 */

import { messageId, type MessageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import type { FullHistory } from "../fullHistory.ts";
import type { VisibilityRecord } from "../records.ts";

/** A message that does not follow the one before it. */
export interface Branch {
  readonly id: MessageId;
  /** Its parent; absent: it begins the conversation. */
  readonly follows?: MessageId;
}

/** In id order. */
export function* branchesOf(history: FullHistory): CooperativeTask<readonly Branch[]> {
  const found: Branch[] = [];
  const slice = new Slice(MESSAGES_PER_SLICE);
  for (const { id } of history.entries) {
    if (slice.isOver(1)) yield;
    const follows = history.branches.parentOf(id);
    if ((follows ?? -1) !== id - 1) found.push(follows === undefined ? { id } : { id, follows });
  }
  return found;
}

/** A message record, or an index record with the entry alone. */
interface HasEntry {
  readonly entry: HistoryEntry;
}

export interface Replay {
  readonly branches: readonly Branch[];
  /** Whether a message is hidden at the end; a tool batch is hidden as a whole. */
  readonly isHidden: (entry: HistoryEntry) => boolean;
  readonly atMs: number;
}

/**
 * `entered` (all messages from the first on) with visibility records inserted so that each message gets its parent, and
 * exactly those that `isHidden` accepts are hidden at the end.
 */
export function* withVisibilityRecords<Message extends HasEntry>(
  entered: readonly Message[],
  { branches, isHidden, atMs }: Replay,
): CooperativeTask<readonly (Message | VisibilityRecord)[]> {
  const slice = new Slice(MESSAGES_PER_SLICE);
  const follows = new Map<number, number>(branches.map(({ id, follows: before }) => [id, before ?? -1]));
  const records: (Message | VisibilityRecord)[] = [];
  const hidden: boolean[] = [];
  const set = (start: number, end: number, isNowHidden: boolean): void => {
    hidden.fill(isNowHidden, start, end);
    const range = { start: messageId(start), end: messageId(end) };
    records.push({ kind: "visibility", range, hidden: isNowHidden, atMs });
  };
  for (const [id, message] of entered.entries()) {
    if (slice.isOver(1)) yield;
    const before = follows.get(id) ?? id - 1;
    if (before < id - 1 && hidden.includes(false, before + 1)) set(before + 1, id, true);
    if (hidden[before] === true) set(entered[before]?.entry.batch ?? before, before + 1, false);
    records.push(message);
    hidden.push(false);
  }
  const wanted: boolean[] = [];
  for (const { entry } of entered) {
    if (slice.isOver(1)) yield;
    wanted.push(isHidden(entry));
  }
  for (let start = 0; start < wanted.length; start++) {
    if (hidden[start] === wanted[start]) continue;
    let end = start + 1;
    while (end < wanted.length && wanted[end] === wanted[start] && hidden[end] !== wanted[end]) end++;
    set(start, end, wanted[start] === true);
    start = end - 1;
  }
  return records;
}
