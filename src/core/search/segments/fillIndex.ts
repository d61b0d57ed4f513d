/**
 * Brings the index up to date with the conversations: what is new is added, what is gone or was erased is removed. It can
 * be killed at any moment; the next run goes on from the last segment that was written.
 */

import type { CooperativeTask, WaitingTask } from "../../cooperativeTask.ts";
import type { ConversationId } from "../../ids.ts";
import type { Message } from "../../message.ts";
import { searchText } from "../searchText.ts";
import { indexedWords } from "./indexedWords.ts";
import { SegmentBuilder } from "./segmentBuilder.ts";
import type { IndexProgress, SegmentIndex } from "./segmentIndex.ts";

/** Port to the texts of a conversation. The members throw when they cannot be read. */
export interface ConversationTexts {
  readonly messageCount: number;
  readonly recordCount: number;
  /** `undefined` for one that cannot be read now. */
  readonly read: (id: number) => Message | undefined;
  /** A record from this number on erases something. */
  readonly erasesSince: (recordCount: number) => boolean;
}

export interface TextSource {
  /** Every conversation that the index may name. */
  readonly conversations: ReadonlySet<ConversationId>;
  /** `undefined` if nothing is new beyond `progress`, or it cannot be read now. */
  readonly open: (id: ConversationId, progress: IndexProgress | undefined) => ConversationTexts | undefined;
  /** Called when no more of the texts opened last is read. */
  readonly close: () => void;
}

/** A segment is written after so many messages, or postings: about 10 MB of memory. */
const MESSAGES_PER_SEGMENT = 8_192;
const POSTINGS_PER_SEGMENT = 500_000;

/**
 * Adds at most one full segment; returns whether more is to be done, so that others get their turn in between. Pauses
 * every millisecond or so. Throws what the ports throw.
 */
export function* fillIndex(index: SegmentIndex, source: TextSource): WaitingTask<boolean> {
  yield* index.refreshInSlices();
  const filling = new Filling(index);
  const gone = [...index.conversations.keys()].filter((id) => !source.conversations.has(id));
  for (const id of gone) filling.remove(id);
  if (gone.length > 0) yield* filling.write(); // first, as it may have been erased
  for (const id of source.conversations) {
    const progress = index.conversations.get(id);
    const texts = source.open(id, progress);
    if (texts === undefined) continue;
    try {
      yield;
      yield* filling.add(id, texts, progress);
    } finally {
      source.close();
    }
    if (filling.isFull) break;
    yield;
  }
  const { isFull } = filling;
  yield* filling.write();
  return (yield* index.mergeSome()) || isFull;
}

class Filling {
  readonly #index: SegmentIndex;
  #removed = new Set<ConversationId>();
  #builder = new SegmentBuilder();

  constructor(index: SegmentIndex) {
    this.#index = index;
  }

  remove(id: ConversationId): void {
    this.#removed.add(id);
  }

  *add(id: ConversationId, texts: ConversationTexts, progress: IndexProgress | undefined): CooperativeTask<void> {
    const isAnew = progress !== undefined && !isContinued(progress, texts);
    if (isAnew && texts.messageCount > 0 && texts.read(0) === undefined) return;
    if (isAnew) this.remove(id);
    const { messageCount, recordCount } = texts;
    const first = isAnew ? 0 : (progress?.next ?? 0);
    let mark = isAnew ? 0 : (progress?.mark ?? 0);
    let count = 0;
    while (first + count < messageCount && !this.isFull) {
      const message = texts.read(first + count);
      if (message === undefined) break; // tried again at the next filling
      yield;
      this.#builder.addMessage(yield* indexedWords(message));
      mark = markOf(message);
      count++;
      yield;
    }
    const isKnown = !isAnew && progress?.recordCount === recordCount;
    if (count > 0 || !isKnown) this.#builder.addRun({ conversation: id, first, count, recordCount, mark });
  }

  *write(): WaitingTask<void> {
    const bytes = this.#builder.isEmpty ? undefined : yield* this.#builder.toBytes();
    yield;
    yield* this.#index.change(this.#removed, bytes);
    this.#builder = new SegmentBuilder();
    this.#removed = new Set();
  }

  get isFull(): boolean {
    return this.#builder.messageCount >= MESSAGES_PER_SEGMENT || this.#builder.postingCount >= POSTINGS_PER_SEGMENT;
  }
}

/** True if the messages that are indexed are still there as they were. */
function isContinued({ next, recordCount, mark, isBroken }: IndexProgress, texts: ConversationTexts): boolean {
  if (isBroken || next > texts.messageCount || recordCount > texts.recordCount) return false;
  if (texts.erasesSince(recordCount)) return false;
  const last = next === 0 ? undefined : texts.read(next - 1);
  return last === undefined || markOf(last) === mark;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Characters at the beginning and the end from which a message is told apart. */
const MARKED = 1_000;

/** FNV-1a of the ends of a message. */
function markOf(message: Message): number {
  const text = searchText(message);
  let hash = FNV_OFFSET ^ text.length;
  const ends = text.length > 2 * MARKED ? text.slice(0, MARKED) + text.slice(-MARKED) : text;
  for (let at = 0; at < ends.length; at++) hash = Math.imul(hash ^ ends.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}
