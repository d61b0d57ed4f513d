/** Makes a segment of messages, one after the other. Takes twelve bytes for each word of each message until it is made. */

import { sortedInSlices, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import type { IndexedWords } from "./indexedWords.ts";
import { MOST_LENGTH, type SegmentRun } from "./segment.ts";
import { SegmentWriter } from "./segmentWriter.ts";

/** Postings of a chunk: chunks are added, as arrays that are copied to grow leave twice as much behind. */
const CHUNK_SHIFT = 14;
const CHUNK_POSTINGS = 1 << CHUNK_SHIFT;
/** Postings ordered or written between two pauses: a millisecond, and a few before the code is optimized. */
const POSTINGS_PER_SLICE = 5_000;

export class SegmentBuilder {
  readonly #runs: SegmentRun[] = [];
  readonly #lengths: number[] = [];
  readonly #isTalk: number[] = [];
  readonly #numbers = new Map<string, number>();
  /** Number of its word, place of its message, and occurrences, of each posting. */
  readonly #chunks: Uint32Array[] = [];
  #postingCount = 0;

  /** No run was added. */
  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  get messageCount(): number {
    return this.#lengths.length;
  }

  get postingCount(): number {
    return this.#postingCount;
  }

  /** Adds a run; its messages come first, by {@link addMessage}. */
  addRun(run: SegmentRun): void {
    this.#runs.push(run);
  }

  addMessage({ counts, length, isTalk }: IndexedWords): void {
    const place = this.#lengths.length;
    // No array for each word, as iterating over entries makes.
    counts.forEach((occurrences, word) => {
      this.#addPosting(word, place, occurrences);
    });
    this.#lengths.push(Math.min(length, MOST_LENGTH));
    this.#isTalk.push(Number(isTalk));
  }

  *toBytes(): CooperativeTask<Uint8Array> {
    const slice = new Slice(POSTINGS_PER_SLICE);
    const starts = yield* this.#startsOfWords(slice);
    const ordered = new Uint32Array(this.#postingCount);
    const next = starts.slice();
    for (let at = 0; at < this.#postingCount; at++) {
      const number = this.#posting(at, 0);
      const place = next[number] ?? 0;
      ordered[place] = at;
      next[number] = place + 1;
      if (slice.isOver(1)) yield;
    }
    const writer = new SegmentWriter();
    const [places, occurrences] = [new Uint32Array(this.messageCount), new Uint32Array(this.messageCount)];
    for (const word of yield* sortedInSlices([...this.#numbers.keys()], byUnits)) {
      const number = this.#numbers.get(word) ?? 0;
      const [start = 0, end = 0] = [starts[number], starts[number + 1]];
      for (let at = start; at < end; at++) {
        const posting = ordered[at] ?? 0;
        places[at - start] = this.#posting(posting, 1);
        occurrences[at - start] = this.#posting(posting, 2);
      }
      writer.add(word, places.subarray(0, end - start), occurrences.subarray(0, end - start));
      if (slice.isOver(1 + end - start)) yield;
    }
    return yield* writer.toBytes({
      runs: this.#runs,
      lengths: Uint16Array.from(this.#lengths),
      isTalk: Uint8Array.from(this.#isTalk),
    });
  }

  /** Of the postings in the order of the numbers of their words; the end last. */
  *#startsOfWords(slice: Slice): CooperativeTask<Uint32Array> {
    const starts = new Uint32Array(this.#numbers.size + 1);
    for (let at = 0; at < this.#postingCount; at++) {
      const after = this.#posting(at, 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
      if (slice.isOver(1)) yield;
    }
    for (let number = 1; number < starts.length; number++) {
      starts[number] = (starts[number] ?? 0) + (starts[number - 1] ?? 0);
      if (slice.isOver(1)) yield;
    }
    return starts;
  }

  #addPosting(word: string, place: number, occurrences: number): void {
    let number = this.#numbers.get(word);
    if (number === undefined) this.#numbers.set(word, (number = this.#numbers.size));
    const at = this.#postingCount++;
    const numbers = (this.#chunks[at >> CHUNK_SHIFT] ??= new Uint32Array(3 * CHUNK_POSTINGS));
    const start = 3 * (at & (CHUNK_POSTINGS - 1));
    numbers[start] = number;
    numbers[start + 1] = place;
    numbers[start + 2] = occurrences;
  }

  #posting(at: number, member: 0 | 1 | 2): number {
    return this.#chunks[at >> CHUNK_SHIFT]?.[3 * (at & (CHUNK_POSTINGS - 1)) + member] ?? 0;
  }
}

/** The order of `<` on texts. */
export function byUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
