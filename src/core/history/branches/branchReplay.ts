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

/** The visibility records of a history whose messages are added one after the other. */
export class VisibilityReplay {
  /** By message. */
  readonly #hidden: boolean[] = [];
  readonly #batches: (MessageId | undefined)[] = [];

  /** Records that come before `entry`, the next message, so that it follows `parent`; -1: it begins the conversation. */
  add({ batch }: Pick<HistoryEntry, "batch">, parent: number, atMs: number): readonly VisibilityRecord[] {
    const records: VisibilityRecord[] = [];
    const id = this.#hidden.length;
    if (parent < id - 1 && this.#hidden.includes(false, parent + 1))
      records.push(this.#set(parent + 1, id, true, atMs));
    if (this.#hidden[parent] === true) {
      records.push(this.#set(this.#batches[parent] ?? parent, parent + 1, false, atMs));
    }
    this.#hidden.push(false);
    this.#batches.push(batch);
    return records;
  }

  /** Records after the last message, so that exactly those are hidden that `isHidden` accepts. */
  *end(isHidden: (id: number) => boolean, atMs: number): Generator<VisibilityRecord | undefined> {
    const slice = new Slice(MESSAGES_PER_SLICE);
    const hidden = this.#hidden;
    for (let start = 0; start < hidden.length; start++) {
      if (slice.isOver(1)) yield;
      const wanted = isHidden(start);
      if (hidden[start] === wanted) continue;
      let end = start + 1;
      while (end < hidden.length && hidden[end] !== wanted && isHidden(end) === wanted) end++;
      yield this.#set(start, end, wanted, atMs);
      start = end - 1;
    }
  }

  #set(start: number, end: number, hidden: boolean, atMs: number): VisibilityRecord {
    this.#hidden.fill(hidden, start, end);
    return { kind: "visibility", range: { start: messageId(start), end: messageId(end) }, hidden, atMs };
  }
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
  const replay = new VisibilityReplay();
  for (const [id, message] of entered.entries()) {
    if (slice.isOver(1)) yield;
    records.push(...replay.add(message.entry, follows.get(id) ?? id - 1, atMs), message);
  }
  const isHiddenAt = (id: number): boolean => {
    const message = entered[id];
    return message !== undefined && isHidden(message.entry);
  };
  for (const record of replay.end(isHiddenAt, atMs)) {
    if (record === undefined) yield;
    else records.push(record);
  }
  return records;
}
