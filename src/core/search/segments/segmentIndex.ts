/** The index over all conversations: its segments, and how far each conversation is in them. */

import { runSync, Slice, type CooperativeTask, type WaitingTask } from "../../cooperativeTask.ts";
import type { ConversationId } from "../../ids.ts";
import { dueForMerge } from "./mergePolicy.ts";
import { Segment, type SegmentBytes, type SegmentRun } from "./segment.ts";
import { mergeSegments } from "./segmentMerge.ts";

/** Port to the files of the segments. Its members throw when a file cannot be read or written. */
export interface SegmentFiles {
  /** Names of the segments that count now, in the order of their making. Changes when another window replaced some. */
  list(): readonly string[];
  open(name: string): SegmentBytes;
  /** At one moment, or not at all; a kill, or an end at a pause, leaves either the old ones or the new ones. */
  replace(removed: readonly string[], added: readonly Uint8Array[]): WaitingTask<void>;
}

/** Extent to which a conversation is indexed. */
export interface IndexProgress {
  /** Id of the first message that is not. */
  readonly next: number;
  readonly recordCount: number;
  readonly mark: number;
  /** Messages before `next` are missing, or are there twice: it must be indexed anew. */
  readonly isBroken: boolean;
}

/** Runs looked at between two pauses: less than a millisecond. */
const RUNS_PER_SLICE = 500;

interface NamedSegment {
  readonly name: string;
  readonly segment: Segment;
}

export class SegmentIndex {
  readonly #files: SegmentFiles;
  #segments: readonly NamedSegment[] = [];
  #progress: ReadonlyMap<ConversationId, IndexProgress> = new Map();

  constructor(files: SegmentFiles) {
    this.#files = files;
    this.refresh();
  }

  get segments(): readonly Segment[] {
    return this.#segments.map(({ segment }) => segment);
  }

  get conversations(): ReadonlyMap<ConversationId, IndexProgress> {
    return this.#progress;
  }

  /** Reads what another window has changed. Throws when a file cannot be read. */
  refresh(): void {
    runSync(this.refreshInSlices());
  }

  /** The same; the index is as before until the end. */
  *refreshInSlices(): CooperativeTask<void> {
    const names = this.#files.list();
    if (names.length === this.#segments.length && names.every((name, at) => name === this.#segments[at]?.name)) return;
    const known = new Map(this.#segments.map((one) => [one.name, one]));
    const segments: NamedSegment[] = [];
    for (const name of names) {
      const one = known.get(name);
      segments.push(one ?? { name, segment: new Segment(this.#files.open(name)) });
      if (one === undefined) yield;
    }
    const progress = yield* progressIn(segments.map(({ segment }) => segment));
    this.#segments = segments;
    this.#progress = progress;
  }

  /** Removes conversations from every file, and adds a segment, in one step. */
  *change(removed: ReadonlySet<ConversationId>, added: Uint8Array | undefined): WaitingTask<void> {
    const affected = this.#segments.filter(({ segment }) =>
      segment.messages.runs.some(({ conversation }) => removed.has(conversation)),
    );
    const rewritten: Uint8Array[] = [];
    for (const { segment } of affected) {
      rewritten.push(yield* mergeSegments([segment], removed));
      yield;
    }
    yield* this.#replace(affected, added === undefined ? rewritten : [...rewritten, added]);
  }

  /** Merges small segments, so that a search reads few. Returns whether some were merged. */
  *mergeSome(): WaitingTask<boolean> {
    const due = dueForMerge(this.#segments.map(({ segment }) => segment.messageCount));
    if (due.length === 0) return false;
    const merged = due.flatMap((at) => this.#segments[at] ?? []);
    const bytes = yield* mergeSegments(merged.map(({ segment }) => segment));
    yield;
    yield* this.#replace(merged, [bytes]);
    return true;
  }

  *#replace(removed: readonly NamedSegment[], added: readonly Uint8Array[]): WaitingTask<void> {
    if (removed.length === 0 && added.length === 0) return;
    yield* this.#files.replace(
      removed.map(({ name }) => name),
      added,
    );
    yield;
    yield* this.refreshInSlices();
  }
}

function* progressIn(segments: readonly Segment[]): CooperativeTask<ReadonlyMap<ConversationId, IndexProgress>> {
  const slice = new Slice(RUNS_PER_SLICE);
  const runs = new Map<ConversationId, SegmentRun[]>();
  for (const { messages } of segments) {
    for (const run of messages.runs) {
      const some = runs.get(run.conversation);
      if (some === undefined) runs.set(run.conversation, [run]);
      else some.push(run);
      if (slice.isOver(1)) yield;
    }
  }
  const progress = new Map<ConversationId, IndexProgress>();
  for (const [conversation, some] of runs) {
    progress.set(conversation, progressOf(some));
    if (slice.isOver(1)) yield;
  }
  return progress;
}

function progressOf(runs: readonly SegmentRun[]): IndexProgress {
  const inOrder = runs.toSorted((one, other) => one.first - other.first || one.recordCount - other.recordCount);
  let [next, isBroken] = [0, false];
  for (const { first, count } of inOrder) {
    isBroken ||= first !== next;
    next = first + count;
  }
  const { recordCount, mark } = inOrder.at(-1) ?? { recordCount: 0, mark: 0 };
  return { next, recordCount, mark, isBroken };
}
