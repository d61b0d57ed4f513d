/** Writes a segment: its words in order, each with its messages in order. */

import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import { ByteWriter } from "./bytes.ts";
import { FOOTER_LENGTH, MAGIC, WORDS_PER_BLOCK, type SegmentMessages } from "./segment.ts";

/** Runs of messages, and their lengths, written between two pauses: a millisecond or so. */
const RUNS_PER_SLICE = 500;
const LENGTHS_PER_SLICE = 20_000;

export class SegmentWriter {
  readonly #postings = new ByteWriter();
  readonly #blocks = new ByteWriter();
  readonly #firstWords = new ByteWriter();
  #wordCount = 0;
  #before = "";
  #blockAt = 0;
  #firstPostingsAt = 0;

  constructor() {
    this.#postings.raw(MAGIC);
  }

  /** Words come in the order of their UTF-16 units; `places` in ascending order, none twice, each with its occurrences. */
  add(word: string, places: Uint32Array, occurrences: Uint32Array): void {
    const at = this.#postings.length;
    const isFirst = this.#wordCount++ % WORDS_PER_BLOCK === 0;
    if (isFirst) {
      this.#firstWords.text(word);
      this.#firstWords.varint(this.#blocks.length - this.#blockAt);
      this.#firstWords.varint(at - this.#firstPostingsAt);
      [this.#blockAt, this.#firstPostingsAt] = [this.#blocks.length, at];
    }
    let before = -1;
    for (let index = 0; index < places.length; index++) {
      const [place, count] = [places[index] ?? 0, occurrences[index] ?? 1];
      this.#postings.varint(2 * (place - before - 1) + Number(count > 1));
      if (count > 1) this.#postings.varint(count - 2);
      before = place;
    }
    const shared = isFirst ? 0 : sharedLength(this.#before, word);
    this.#blocks.varint(shared);
    this.#blocks.text(word.slice(shared));
    this.#blocks.varint(places.length);
    this.#blocks.varint(this.#postings.length - at);
    this.#before = word;
  }

  *toBytes(messages: SegmentMessages): CooperativeTask<Uint8Array> {
    const parts = [this.#postings, this.#blocks, yield* messagesPart(messages), this.#firstWords];
    const partsLength = parts.reduce((sum, part) => sum + part.length, 0);
    const whole = new Uint8Array(partsLength + FOOTER_LENGTH);
    const footer = new DataView(whole.buffer, partsLength);
    let at = 0;
    for (const [index, part] of parts.entries()) {
      if (index > 0) footer.setUint32(4 * (index - 1), at, true);
      part.copyTo(whole, at);
      at += part.length;
      yield;
    }
    return whole;
  }
}

function* messagesPart({ runs, lengths, isTalk }: SegmentMessages): CooperativeTask<ByteWriter> {
  const part = new ByteWriter();
  const slice = new Slice(RUNS_PER_SLICE);
  part.varint(runs.length);
  for (const { conversation, first, count, recordCount, mark } of runs) {
    part.text(conversation);
    for (const number of [first, count, recordCount, mark]) part.varint(number);
    if (slice.isOver(1)) yield;
  }
  const pairs = new Uint8Array(2 * lengths.length);
  for (let place = 0; place < lengths.length; place++) {
    const length = lengths[place] ?? 0;
    pairs[2 * place] = length & 0xff;
    pairs[2 * place + 1] = length >> 8;
    if (place % LENGTHS_PER_SLICE === 0) yield;
  }
  part.raw(pairs);
  part.raw(isTalk);
  return part;
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length++;
  return length;
}
