/** Makes one segment of several, without reading a message again, and without conversations that were removed. */

import { Slice, sortedInSlices, type CooperativeTask } from "../../cooperativeTask.ts";
import type { ConversationId } from "../../ids.ts";
import { byUnits } from "./segmentBuilder.ts";
import { Postings, type Segment, type SegmentRun, type SegmentWord, type WordCursor } from "./segment.ts";
import { SegmentWriter } from "./segmentWriter.ts";

/** Postings merged between two pauses: a millisecond, and a few before the code is optimized. */
const POSTINGS_PER_SLICE = 5_000;
/** The same of messages that get their places. */
const MESSAGES_PER_SLICE = 10_000;
/** A word that one message in so many has is put in order by looking at all of them, which takes less than sorting. */
const FREQUENT = 16;

interface Source {
  readonly segment: Segment;
  /** New place of each message; -1 for one that is removed. */
  readonly places: Int32Array;
}

export function* mergeSegments(
  segments: readonly Segment[],
  removed: ReadonlySet<ConversationId> = new Set(),
): CooperativeTask<Uint8Array> {
  const sources = segments.map((segment) => ({ segment, places: new Int32Array(segment.messageCount).fill(-1) }));
  const retained = sources
    .flatMap(({ segment, places }) => placedRuns(segment).map((placed) => ({ ...placed, segment, places })))
    .filter(({ run }) => !removed.has(run.conversation));
  yield;
  const runs = yield* sortedInSlices(
    retained,
    (one, other) =>
      byUnits(one.run.conversation, other.run.conversation) ||
      one.run.first - other.run.first ||
      one.run.recordCount - other.run.recordCount,
  );
  const count = runs.reduce((sum, { run }) => sum + run.count, 0);
  const [lengths, isTalk] = [new Uint16Array(count), new Uint8Array(count)];
  const slice = new Slice(MESSAGES_PER_SLICE);
  let next = 0;
  for (const { run, start, segment, places } of runs) {
    if (slice.isOver(run.count)) yield;
    for (let index = 0; index < run.count; index++, next++) {
      places[start + index] = next;
      lengths[next] = segment.messages.lengths[start + index] ?? 0;
      isTalk[next] = segment.messages.isTalk[start + index] ?? 0;
    }
  }
  yield;
  const writer = new SegmentWriter();
  yield* mergeWords(sources, writer, count);
  return yield* writer.toBytes({ runs: joinedRuns(runs.map(({ run }) => run)), lengths, isTalk });
}

function* mergeWords(sources: readonly Source[], writer: SegmentWriter, messageCount: number): CooperativeTask<void> {
  const slice = new Slice(POSTINGS_PER_SLICE);
  const most = Math.max(0, ...sources.map(({ segment }) => segment.messageCount));
  const read = new Postings(most);
  const cursors = sources.map((source) => new Cursor(source, read));
  const postings = new WordPostings(messageCount);
  for (;;) {
    let word: string | undefined;
    for (const { current } of cursors)
      if (current !== undefined && (word === undefined || current.word < word)) word = current.word;
    if (word === undefined) return;
    for (const cursor of cursors) {
      if (cursor.current?.word !== word) continue;
      const { count } = cursor.current;
      cursor.take(postings);
      if (slice.isOver(count + 1)) yield;
    }
    if (slice.isOver(postings.count + 1)) yield;
    postings.writeTo(writer, word);
  }
}

/** The postings of one word after the other, in arrays that are made once. */
class WordPostings {
  readonly #places: Uint32Array;
  /** By the place; 0 for a message without the word. */
  readonly #occurrences: Uint32Array;
  /** In the order of the places. */
  readonly #ordered: Uint32Array;
  #count = 0;

  constructor(messageCount: number) {
    this.#places = new Uint32Array(messageCount);
    this.#occurrences = new Uint32Array(messageCount);
    this.#ordered = new Uint32Array(messageCount);
  }

  get count(): number {
    return this.#count;
  }

  /** `place` is none of those before. */
  add(place: number, occurrences: number): void {
    this.#places[this.#count++] = place;
    this.#occurrences[place] = occurrences;
  }

  /** Also goes on to the next word. */
  writeTo(writer: SegmentWriter, word: string): void {
    const places = this.#placesInOrder();
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? 0;
      this.#ordered[index] = this.#occurrences[place] ?? 0;
      this.#occurrences[place] = 0;
    }
    if (places.length > 0) writer.add(word, places, this.#ordered.subarray(0, places.length));
    this.#count = 0;
  }

  #placesInOrder(): Uint32Array {
    const places = this.#places.subarray(0, this.#count);
    const occurrences = this.#occurrences;
    if (FREQUENT * places.length < occurrences.length) return places.sort();
    for (let place = 0, next = 0; next < places.length; place++) if (occurrences[place] !== 0) places[next++] = place;
    return places;
  }
}

class Cursor {
  readonly #source: Source;
  readonly #words: WordCursor;
  readonly #read: Postings;
  current: SegmentWord | undefined;

  constructor(source: Source, read: Postings) {
    this.#source = source;
    this.#words = source.segment.wordsFrom("");
    this.#read = read;
    this.#advance();
  }

  /** Adds what remains of the postings of the current word, and goes to the next. */
  take(postings: WordPostings): void {
    const { segment, places } = this.#source;
    if (this.current === undefined) return;
    segment.readPostings(this.current, this.#read);
    const { count, places: read, occurrences } = this.#read;
    for (let at = 0; at < count; at++) {
      const moved = places[read[at] ?? 0] ?? -1;
      if (moved >= 0) postings.add(moved, occurrences[at] ?? 1);
    }
    this.#advance();
  }

  #advance(): void {
    this.current = this.#words.next() ? this.#words.current : undefined;
  }
}

/** Each run with the place of its first message. */
function placedRuns(segment: Segment): readonly { readonly run: SegmentRun; readonly start: number }[] {
  let start = 0;
  return segment.messages.runs.map((run) => {
    const placed = { run, start };
    start += run.count;
    return placed;
  });
}

/** Runs of one conversation that follow each other become one. */
function joinedRuns(runs: readonly SegmentRun[]): readonly SegmentRun[] {
  const joined: SegmentRun[] = [];
  for (const run of runs) {
    const before = joined.at(-1);
    if (before?.conversation !== run.conversation || before.first + before.count !== run.first) joined.push(run);
    else {
      const newer = run.recordCount >= before.recordCount ? run : before;
      const { recordCount, mark } = newer;
      joined[joined.length - 1] = { ...before, count: before.count + run.count, recordCount, mark };
    }
  }
  return joined;
}
