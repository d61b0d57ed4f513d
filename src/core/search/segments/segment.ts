/**
 * A segment of the index over all conversations: for each word the messages that have it. A segment is written once and
 * never changed: to add messages is to write another one, to remove some is to write it anew without them. So a reader
 * needs no lock, and nothing that was removed stays in a file.
 *
 * Bytes: magic, postings in the order of the words, the dictionary in blocks of words, the messages, the first words of
 * the blocks, and the places of these parts. A word's postings are the distances of its messages, each with its number
 * of occurrences.
 */

import type { ConversationId } from "../../ids.ts";
import { ByteReader, DamagedBytes } from "./bytes.ts";

/** The bytes of a segment, of which only parts are read. */
export interface SegmentBytes {
  readonly length: number;
  /** Valid until the next call. Throws when they cannot be read. */
  readonly read: (at: number, length: number) => Uint8Array;
}

/** Consecutive messages of a conversation. */
export interface SegmentRun {
  readonly conversation: ConversationId;
  /** Id of its first message. */
  readonly first: number;
  /** 0: nothing was new when records up to `recordCount` were read. */
  readonly count: number;
  /** Number of records of the conversation that were read for it. */
  readonly recordCount: number;
  /** A hash of its last message, by which a replaced conversation is noticed. */
  readonly mark: number;
}

/** The messages of a segment; a message's place is its number among all of the runs. */
export interface SegmentMessages {
  readonly runs: readonly SegmentRun[];
  /** Number of terms in each message, repeated ones included, at most {@link MOST_LENGTH}. */
  readonly lengths: Uint16Array;
  /** 1 for talk, whose neighbours belong to it. */
  readonly isTalk: Uint8Array;
}

export interface SegmentWord {
  readonly word: string;
  /** Number of messages that have it. */
  readonly count: number;
  readonly postings: { readonly at: number; readonly length: number };
}

export const MAGIC = Uint8Array.of(0x46, 0x53, 0x49, 0x01);
export const MOST_LENGTH = 0xffff;
/** Words of a block: as many are decoded to find one. */
export const WORDS_PER_BLOCK = 32;
/** Places of the dictionary, the messages and the first words. */
export const FOOTER_LENGTH = 12;

type Places = [number, number, number];

export class Segment {
  readonly messages: SegmentMessages;
  /** Number of terms in all messages, repeated ones included. */
  readonly termCount: number;
  readonly #bytes: SegmentBytes;
  /** First word of each block, in order. */
  readonly #firstWords: string[] = [];
  readonly #blocksAt: number[] = [];
  /** Of each block. */
  readonly #postingsAt: number[] = [];

  /** Throws `DamagedBytes`. */
  constructor(bytes: SegmentBytes) {
    this.#bytes = bytes;
    if (bytes.length < MAGIC.length + FOOTER_LENGTH) throw new DamagedBytes("too short for a segment");
    if (bytes.read(0, MAGIC.length).some((byte, at) => byte !== MAGIC[at])) throw new DamagedBytes("no segment");
    const footer = bytes.read(bytes.length - FOOTER_LENGTH, FOOTER_LENGTH);
    const numbers = new DataView(footer.buffer, footer.byteOffset, footer.length);
    const [dictionaryAt, messagesAt, firstWordsAt] = [0, 4, 8].map((at) => numbers.getUint32(at, true)) as Places;
    const end = bytes.length - FOOTER_LENGTH;
    if (dictionaryAt > messagesAt || messagesAt > firstWordsAt || firstWordsAt > end)
      throw new DamagedBytes("parts out of order");
    this.messages = readMessages(new ByteReader(bytes.read(messagesAt, firstWordsAt - messagesAt)));
    this.termCount = this.messages.lengths.reduce((sum, length) => sum + length, 0);
    const blocks = new ByteReader(bytes.read(firstWordsAt, end - firstWordsAt));
    let [blockAt, postingsAt] = [dictionaryAt, 0];
    while (!blocks.isAtEnd) {
      this.#firstWords.push(blocks.text());
      this.#blocksAt.push((blockAt += blocks.varint()));
      this.#postingsAt.push((postingsAt += blocks.varint()));
    }
    this.#blocksAt.push(messagesAt);
  }

  get messageCount(): number {
    return this.messages.lengths.length;
  }

  find(word: string): SegmentWord | undefined {
    for (const found of this.wordsFrom(word)) return found.word === word ? found : undefined;
    return undefined;
  }

  /** All words from `start` on, in order. */
  *wordsFrom(start: string): Generator<SegmentWord, void> {
    let block = Math.max(0, this.#blockOf(start));
    for (; block < this.#firstWords.length; block++) {
      for (const found of this.#wordsOf(block)) if (found.word >= start) yield found;
    }
  }

  /** Calls `each` with the place of each message that has the word, in order, and how often it has it. */
  postings({ count, postings: { at, length } }: SegmentWord, each: (place: number, occurrences: number) => void): void {
    const reader = new ByteReader(this.#bytes.read(at, length));
    let place = -1;
    for (let read = 0; read < count; read++) {
      const step = reader.varint();
      place += Math.floor(step / 2) + 1;
      if (place >= this.messageCount) throw new DamagedBytes("a word names no message");
      each(place, step % 2 === 0 ? 1 : reader.varint() + 2);
    }
  }

  /** The last block whose first word is not after `word`; -1 for none. */
  #blockOf(word: string): number {
    let [low, high] = [0, this.#firstWords.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#firstWords[middle] ?? "") <= word) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  *#wordsOf(block: number): Generator<SegmentWord, void> {
    const [start = 0, end = 0] = [this.#blocksAt[block], this.#blocksAt[block + 1]];
    if (end < start) throw new DamagedBytes("blocks out of order");
    const reader = new ByteReader(this.#bytes.read(start, end - start).slice());
    let [word, at] = ["", this.#postingsAt[block] ?? 0];
    while (!reader.isAtEnd) {
      word = word.slice(0, reader.varint()) + reader.text();
      const [count, length] = [reader.varint(), reader.varint()];
      yield { word, count, postings: { at, length } };
      at += length;
    }
  }
}

function readMessages(reader: ByteReader): SegmentMessages {
  const runs: SegmentRun[] = [];
  for (let left = reader.varint(); left > 0; left--) {
    runs.push({
      conversation: reader.text() as ConversationId,
      first: reader.varint(),
      count: reader.varint(),
      recordCount: reader.varint(),
      mark: reader.varint(),
    });
  }
  const count = runs.reduce((sum, run) => sum + run.count, 0);
  const pairs = reader.raw(2 * count);
  const lengths = new Uint16Array(count);
  for (let place = 0; place < count; place++)
    lengths[place] = (pairs[2 * place] ?? 0) | ((pairs[2 * place + 1] ?? 0) << 8);
  const isTalk = reader.raw(count).slice();
  return { runs, lengths, isTalk };
}
