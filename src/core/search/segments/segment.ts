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
/** No word has it. */
const LAST_UNIT = "\uffff";

interface DictionaryBlock {
  readonly bytes: Uint8Array;
  /** Of its first word. */
  readonly postingsAt: number;
}

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
    const words = this.wordsFrom(word);
    return words.next() && words.compare(word) === 0 ? words.current : undefined;
  }

  /** All words from `start` on. */
  wordsFrom(start: string): WordCursor {
    return new WordCursor((block) => this.#block(block), Math.max(0, this.#blockOf(start)), start);
  }

  /** At least so many words begin so; by the blocks, without reading any. */
  leastCountFrom(beginning: string): number {
    const last = this.#blockOf(beginning + LAST_UNIT);
    const isInLast = this.#firstWords[last]?.startsWith(beginning) === true;
    return isInLast ? WORDS_PER_BLOCK * Math.max(0, last - this.#blockOf(beginning) - 1) : 0;
  }

  /**
   * Reads the messages that have the word, in order, into arrays with room for all messages of the segment; with `among`
   * only those for which it is not 0.
   */
  readPostings({ count, postings: { at, length } }: SegmentWord, into: Postings, among?: Float32Array): void {
    const { messageCount } = this;
    if (count > messageCount) throw new DamagedBytes("a word is in more messages than there are");
    const bytes = this.#bytes.read(at, length);
    const { places, occurrences } = into;
    let [place, next, kept] = [-1, 0, 0];
    // A search reads hundreds of thousands, so varints are decoded here; after the end they are 0.
    for (let read = 0; read < count; read++) {
      let byte = bytes[next++] ?? 0;
      let step = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[next++] ?? 0;
        step |= (byte & 0x7f) << shift;
      }
      place += (step >> 1) + 1;
      const isWanted = among?.[place] !== 0;
      if (isWanted) places[kept] = place;
      if ((step & 1) === 0) {
        if (isWanted) occurrences[kept++] = 1;
        continue;
      }
      byte = bytes[next++] ?? 0;
      let more = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[next++] ?? 0;
        more |= (byte & 0x7f) << shift;
      }
      if (isWanted) occurrences[kept++] = more + 2;
    }
    if (next > bytes.length || place >= messageCount) throw new DamagedBytes("a word names no message");
    into.count = kept;
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

  #block(block: number): DictionaryBlock | undefined {
    const [start, end] = [this.#blocksAt[block], this.#blocksAt[block + 1]];
    if (start === undefined || end === undefined) return undefined;
    if (end < start) throw new DamagedBytes("blocks out of order");
    return { bytes: this.#bytes.read(start, end - start).slice(), postingsAt: this.#postingsAt[block] ?? 0 };
  }
}

/** Reads words in order. Its members tell of the word read last; most are passed over without a string of them. */
export class WordCursor {
  readonly #readBlock: (block: number) => DictionaryBlock | undefined;
  #block: number;
  /** Words before it are passed over. */
  readonly #start: string;
  #reader = new ByteReader(new Uint8Array());
  readonly #units: number[] = [];
  #length = 0;
  #count = 0;
  #postingsAt = 0;
  #postingsLength = 0;
  /** A word that was asked for, of which so many units are those of the current one. */
  #known = "";
  #knownLength = 0;
  /** With which a word before began, of which so many units are those of the current one. */
  #begun = "";
  #begunLength = 0;

  constructor(readBlock: (block: number) => DictionaryBlock | undefined, block: number, start: string) {
    this.#readBlock = readBlock;
    this.#block = block;
    this.#start = start;
  }

  /** False at the end. */
  next(): boolean {
    const isFirst = this.#length === 0;
    do {
      if (this.#reader.isAtEnd && !this.#openBlock()) return false;
      this.#read();
    } while (isFirst && this.compare(this.#start) < 0);
    return true;
  }

  get word(): string {
    let word = this.#known.slice(0, this.#knownLength);
    for (let at = word.length; at < this.#length; at++) word += String.fromCharCode(this.#units[at] ?? 0);
    this.#known = word;
    this.#knownLength = this.#length;
    return word;
  }

  get current(): SegmentWord {
    const postings = { at: this.#postingsAt, length: this.#postingsLength };
    return { word: this.word, count: this.#count, postings };
  }

  startsWith(beginning: string): boolean {
    const isAsBefore = beginning === this.#begun && this.#begunLength >= beginning.length;
    if (!isAsBefore && this.#firstDifference(beginning) < beginning.length) return false;
    [this.#begun, this.#begunLength] = [beginning, this.#length];
    return true;
  }

  /** Like a comparison function. */
  compare(other: string): number {
    const at = this.#firstDifference(other);
    if (at === this.#length || at === other.length) return this.#length - other.length;
    return (this.#units[at] ?? 0) - other.charCodeAt(at);
  }

  #firstDifference(other: string): number {
    const end = Math.min(this.#length, other.length);
    let at = 0;
    while (at < end && this.#units[at] === other.charCodeAt(at)) at++;
    return at;
  }

  #openBlock(): boolean {
    const opened = this.#readBlock(this.#block++);
    if (opened === undefined) return false;
    this.#reader = new ByteReader(opened.bytes);
    [this.#postingsAt, this.#postingsLength] = [opened.postingsAt, 0];
    return true;
  }

  #read(): void {
    const reader = this.#reader;
    const shared = reader.varint();
    if (shared > this.#length) throw new DamagedBytes("a word has no beginning");
    this.#knownLength = Math.min(this.#knownLength, shared);
    this.#begunLength = Math.min(this.#begunLength, shared);
    this.#length = shared;
    for (let left = reader.varint(); left > 0; left--) this.#units[this.#length++] = reader.varint();
    this.#count = reader.varint();
    this.#postingsAt += this.#postingsLength;
    this.#postingsLength = reader.varint();
  }
}

/** Room for the postings of a word. */
export class Postings {
  readonly places: Uint32Array;
  readonly occurrences: Uint32Array;
  /** Of the messages that are in the arrays. */
  count = 0;

  constructor(messageCount: number) {
    this.places = new Uint32Array(messageCount);
    this.occurrences = new Uint32Array(messageCount);
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
