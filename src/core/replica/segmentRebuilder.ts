/**
 * Makes segments again, from the records of a copy, that the replica has lost: under their hashes, so that no record gets
 * a second global id. What this copy left out of a segment (values that others replaced) is left out of what is made.
 */

import type { GlobalId, ObjectHash } from "../history/segmentInfo.ts";
import { omit } from "../omit.ts";
import { invariant } from "../result.ts";
import { ConversationCopy } from "./conversationCopy.ts";
import type { GlobalIds } from "./globalIds.ts";
import type { OutgoingSegment } from "./segmentContent.ts";
import {
  NOTHING,
  OWN,
  type OutgoingRecord,
  type PublishedRecord,
  type WireErasure,
  type WireRef,
} from "./wireRecord.ts";
import { stateBefore, WireWriter } from "./wireWriter.ts";

type RebuiltSegment = OutgoingSegment & { readonly hash: ObjectHash };

export class SegmentRebuilder {
  /** Of a copy that has all records. */
  readonly #ids: GlobalIds;
  readonly #wanted: ReadonlySet<ObjectHash>;
  readonly #copy = new ConversationCopy();
  readonly #parts = new Map<ObjectHash, { readonly segments: ObjectHash[]; readonly records: OutgoingRecord[] }>();
  readonly #wires: WireWriter;
  /** The one that is written to. */
  #current: ObjectHash = "";

  constructor(ids: GlobalIds, wanted: ReadonlySet<ObjectHash>) {
    this.#ids = ids;
    this.#wanted = wanted;
    this.#copy.ids.learnFrom(ids);
    this.#wires = new WireWriter(this.#copy, (number) => this.#ref(number));
  }

  /** Number of the next record that is wanted. */
  get recordCount(): number {
    return this.#copy.ids.recordCount;
  }

  /** All records, from the first on. */
  add(record: PublishedRecord): void {
    const id = this.#copy.ids.idOf(this.#copy.ids.recordCount);
    const before = stateBefore(this.#copy, record);
    this.#copy.apply(record);
    if (id === undefined || !this.#wanted.has(id.segment)) return;
    this.#current = id.segment;
    this.#part(id.segment).records[id.index] = this.#wires.wire(record, before);
  }

  finish(): readonly RebuiltSegment[] {
    return [...this.#wanted].flatMap((hash) => {
      const info = this.#ids.segment(hash);
      if (info === undefined) return [];
      this.#current = hash;
      const { segments, records } = this.#part(hash);
      const erases = this.#ids.erasing.get(hash);
      const last = info.count - 1;
      if (erases !== undefined) records[last] ??= this.#erasure(erases);
      const all = Array.from({ length: info.count }, (_, index) => records[index] ?? NOTHING);
      return [{ hash, info: omit(info, "hash"), segments, records: all }];
    });
  }

  #part(hash: ObjectHash): { readonly segments: ObjectHash[]; readonly records: OutgoingRecord[] } {
    const known = this.#parts.get(hash);
    if (known !== undefined) return known;
    const part = { segments: [], records: [] };
    this.#parts.set(hash, part);
    return part;
  }

  /** That of another machine, which this copy followed by a record of its own. */
  #erasure(erases: readonly GlobalId[]): WireErasure {
    const { ids, history } = this.#copy;
    const erased = erases.flatMap((id) => {
      const message = ids.messageOf(id);
      const { tokens } = message === undefined ? {} : history.entry(message);
      return tokens === undefined ? [] : [{ of: this.#refOf(id), tokens }];
    });
    return { kind: "erasure", atMs: 0, erased };
  }

  #ref(number: number): WireRef {
    const id = this.#copy.ids.idOf(number);
    invariant(id !== undefined, `record ${String(number)} is published`);
    return this.#refOf(id);
  }

  #refOf({ segment, index }: GlobalId): WireRef {
    if (segment === this.#current) return [OWN, index];
    const { segments } = this.#part(this.#current);
    const known = segments.indexOf(segment);
    return [known < 0 ? segments.push(segment) - 1 : known, index];
  }
}
