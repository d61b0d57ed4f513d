/** Which record of this copy is which record of which segment, folded from the records. */

import { lowerBound } from "../history/lowerBound.ts";
import type { StoredRecord } from "../history/fullHistory.ts";
import type { SegmentRecord } from "../history/records.ts";
import type { GlobalId, ObjectHash, SegmentInfo, SegmentRun } from "../history/segmentInfo.ts";
import { messageId, summaryId, type MessageId, type SummaryId } from "../ids.ts";

interface PlacedRun extends SegmentRun {
  readonly segment: ObjectHash;
}

export class GlobalIds {
  /** Record number by message, and by summary. */
  readonly #messages: number[] = [];
  readonly #summaries: number[] = [];
  /** By record number. */
  readonly #runs: PlacedRun[] = [];
  readonly #segments = new Map<ObjectHash, { readonly info: SegmentInfo; readonly runs: readonly SegmentRun[] }>();
  /** Segments that another one names. */
  readonly #passed = new Set<ObjectHash>();
  readonly #erased = new Set<string>();
  readonly #erasing = new Map<ObjectHash, readonly GlobalId[]>();
  readonly #learned: SegmentRecord[] = [];
  #recordCount = 0;
  #publishedTo = 0;

  get recordCount(): number {
    return this.#recordCount;
  }

  /** Records before this number are in segments, or concern this copy alone. */
  get publishedTo(): number {
    return this.#publishedTo;
  }

  /** In the order in which they came into this copy. */
  get segments(): readonly SegmentInfo[] {
    return [...this.#segments.values()].map(({ info }) => info);
  }

  segment(hash: ObjectHash): SegmentInfo | undefined {
    return this.#segments.get(hash)?.info;
  }

  /** Segments that no other one names, in the order of their hashes. */
  get heads(): readonly ObjectHash[] {
    return [...this.#segments.keys()].filter((hash) => !this.#passed.has(hash)).sort();
  }

  /** Segments that erase messages, with these. */
  get erasing(): ReadonlyMap<ObjectHash, readonly GlobalId[]> {
    return this.#erasing;
  }

  /** True if the writer of a segment, with these before it, had all of segment `hash`. */
  isAfter({ after }: Pick<SegmentInfo, "after">, hash: ObjectHash): boolean {
    const seen = new Set<ObjectHash>();
    const next = [...after];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      if (at === hash) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      next.push(...(this.#segments.get(at)?.info.after ?? []));
    }
    return false;
  }

  isErased(id: GlobalId): boolean {
    return this.#erased.has(keyOf(id));
  }

  /** Records must be applied in their order. */
  apply(record: StoredRecord): void {
    const number = this.#recordCount++;
    if (record.kind === "message" || record.kind === "entry") this.#messages.push(number);
    else if (record.kind === "summary") this.#summaries.push(number);
    if (record.kind === "segment") this.learn(record);
  }

  /** Notes the segments that `other` has. */
  learnFrom(other: GlobalIds): void {
    for (const record of other.#learned) this.learn(record);
  }

  /** Notes a segment, perhaps before the records are applied that it has. Idempotent. */
  learn(record: SegmentRecord): void {
    const { segment, runs, publishedTo, erases = [] } = record;
    if (this.#segments.has(segment.hash)) return;
    this.#learned.push(record);
    this.#segments.set(segment.hash, { info: segment, runs });
    for (const before of segment.after) this.#passed.add(before);
    for (const run of runs) {
      const at = lowerBound(this.#runs, (each) => each.number < run.number);
      this.#runs.splice(at, 0, { ...run, segment: segment.hash });
    }
    for (const id of erases) this.#erased.add(keyOf(id));
    if (erases.length > 0) this.#erasing.set(segment.hash, erases);
    this.#publishedTo = Math.max(this.#publishedTo, publishedTo ?? 0);
  }

  /** `undefined` for a record that is in no segment yet, or concerns this copy alone. */
  idOf(number: number): GlobalId | undefined {
    const run = this.#runs[lowerBound(this.#runs, (each) => each.number <= number) - 1];
    if (run === undefined || number >= run.number + run.count) return undefined;
    return { segment: run.segment, index: run.index + number - run.number };
  }

  recordOfMessage(id: MessageId): number | undefined {
    return this.#messages[id];
  }

  recordOfSummary(id: SummaryId): number | undefined {
    return this.#summaries[id];
  }

  messageOf(id: GlobalId): MessageId | undefined {
    const at = indexIn(this.#messages, this.#numberOf(id));
    return at === undefined ? undefined : messageId(at);
  }

  summaryOf(id: GlobalId): SummaryId | undefined {
    const at = indexIn(this.#summaries, this.#numberOf(id));
    return at === undefined ? undefined : summaryId(at);
  }

  /** Messages here among the records from `first` to `last` of a segment. */
  messagesIn(segment: ObjectHash, first: number, last: number): readonly MessageId[] {
    return (this.#segments.get(segment)?.runs ?? []).flatMap(({ number, index, count }) => {
      const from = number + Math.max(0, first - index);
      const to = number + Math.min(count, last - index + 1);
      const start = lowerBound(this.#messages, (each) => each < from);
      const end = Math.max(
        start,
        lowerBound(this.#messages, (each) => each < to),
      );
      return Array.from({ length: end - start }, (_, offset) => messageId(start + offset));
    });
  }

  #numberOf({ segment, index }: GlobalId): number | undefined {
    const run = this.#segments
      .get(segment)
      ?.runs.find((each) => each.index <= index && index < each.index + each.count);
    return run === undefined ? undefined : run.number + index - run.index;
  }
}

export function keyOf({ segment, index }: GlobalId): string {
  return `${segment}:${String(index)}`;
}

function indexIn(numbers: readonly number[], number: number | undefined): number | undefined {
  if (number === undefined) return undefined;
  const at = lowerBound(numbers, (each) => each < number);
  return numbers[at] === number ? at : undefined;
}
