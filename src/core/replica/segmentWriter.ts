/** Makes segments of the records that are in none yet. */

import { portableProject } from "../history/project.ts";
import { isUserChoice } from "../history/modelChoice.ts";
import { GRANT_PREFIX, type SegmentRecord } from "../history/records.ts";
import type { GlobalId, ObjectHash, SegmentRun, WriterId } from "../history/segmentInfo.ts";
import { invariant } from "../result.ts";
import type { ConversationCopy } from "./conversationCopy.ts";
import { RecordPlaces } from "./recordPlaces.ts";
import type { OutgoingSegment } from "./segmentContent.ts";
import { OWN, type OutgoingRecord, type PublishedRecord, type WireRef } from "./wireRecord.ts";
import { stateBefore, WireWriter } from "./wireWriter.ts";

/** Whoever writes, with the number of the next segment in this conversation. */
export interface SegmentAuthor {
  readonly writer: WriterId;
  readonly machine: string;
  readonly sequence: number;
  /** The segment that this writer wrote before. */
  readonly previous?: ObjectHash;
}

export interface WrittenSegment {
  readonly content: OutgoingSegment;
  /** Must be committed before any byte of the segment leaves this machine: else its records would be published twice. */
  readonly recordOf: (hash: ObjectHash) => SegmentRecord;
}

interface GrowingRun extends SegmentRun {
  count: number;
}

export class SegmentWriter {
  readonly #copy: ConversationCopy;
  readonly #wires: WireWriter;
  readonly #records: OutgoingRecord[] = [];
  readonly #runs: GrowingRun[] = [];
  readonly #places = new RecordPlaces();
  /** Index in the segment, by number of the record. */
  readonly #own = new Map<number, number>();
  readonly #segments: ObjectHash[] = [];
  readonly #erased: WireRef[] = [];

  /** `copy` has all records before those that are added, and gets these; it has learned of all segments that are here. */
  constructor(copy: ConversationCopy) {
    this.#copy = copy;
    this.#wires = new WireWriter(copy, (number) => this.#ref(number));
  }

  /** The rest belongs into another segment: what follows an erasure is made of what it left. */
  isComplete(): boolean {
    return this.#records.at(-1)?.kind === "erasure";
  }

  /** Records in their order; those that are in a segment, or concern this machine alone, are passed over. */
  add(record: PublishedRecord): void {
    const { ids } = this.#copy;
    const number = ids.recordCount;
    const isPublished = ids.idOf(number) !== undefined;
    if (isPublished || !travels(record) || this.#isKnownErasure(record)) {
      this.#copy.apply(record);
      return;
    }
    const index = this.#records.length;
    this.#own.set(number, index);
    this.#places.add(record, number);
    const last = this.#runs.at(-1);
    if (last !== undefined && last.number + last.count === number) last.count++;
    else this.#runs.push({ number, index, count: 1 });
    const before = stateBefore(this.#copy, record);
    this.#copy.apply(record);
    const wire = this.#wires.wire(record, before);
    if (wire.kind === "erasure") this.#erased.push(...wire.erased.map(({ of }) => of));
    this.#records.push(wire);
  }

  /** `undefined` if nothing of it travels. */
  finish({ writer, machine, sequence, previous }: SegmentAuthor): WrittenSegment | undefined {
    const { ids } = this.#copy;
    if (this.#records.length === 0) return undefined;
    const heads = ids.heads.filter((hash) => hash !== previous);
    const after = previous === undefined ? heads : [previous, ...heads];
    const epoch = 1 + Math.max(0, ...ids.segments.map((each) => each.epoch));
    const info = { writer, sequence, epoch, after, count: this.#records.length, machine };
    const publishedTo = ids.recordCount;
    const idOf = (hash: ObjectHash, [place, index]: WireRef): GlobalId => ({
      segment: this.#segments[place] ?? hash,
      index,
    });
    return {
      content: { info, segments: this.#segments, records: this.#records },
      recordOf: (hash) => ({
        kind: "segment",
        segment: { hash, ...info },
        runs: this.#runs,
        ...this.#places.ofSegment,
        publishedTo,
        ...(this.#erased.length === 0 ? {} : { erases: this.#erased.map((ref) => idOf(hash, ref)) }),
      }),
    };
  }

  /** True if all that it erases was erased by segments: those of other machines are followed here. */
  #isKnownErasure(record: PublishedRecord): boolean {
    const { ids } = this.#copy;
    return (
      record.kind === "erasure" &&
      record.entries.every(({ id }) => {
        const global = ids.idOf(ids.recordOfMessage(id) ?? -1);
        return global !== undefined && ids.isErased(global);
      })
    );
  }

  #ref(number: number): WireRef {
    const own = this.#own.get(number);
    if (own !== undefined) return [OWN, own];
    const id = this.#copy.ids.idOf(number);
    invariant(id !== undefined, `record ${String(number)} is published`);
    const known = this.#segments.indexOf(id.segment);
    return [known < 0 ? this.#segments.push(id.segment) - 1 : known, id.index];
  }
}

/** Permissions, places of messages, folders and what follows from settings concern this machine alone. */
function travels(record: PublishedRecord): boolean {
  switch (record.kind) {
    case "visibility":
      return record.isDerived !== true;
    case "setting":
      return !record.name.startsWith(GRANT_PREFIX);
    case "model":
      return isUserChoice(record);
    case "project":
      return portableProject(record.project) !== undefined;
    case "segment":
      return false;
    default:
      return true;
  }
}
