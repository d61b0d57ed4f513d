/**
 * Segments of a rescued conversation: they name records by their numbers, and those after lost ones have others now. So
 * what was published is not published again, and is the same record on all machines as before. A placeholder stands for
 * the published message that was lost, under its global id: here it stays a placeholder, though the replica has the text.
 */

import type { IndexRecord, SegmentRecord } from "../../../core/history/records.ts";
import type { RecordPlace, SegmentRun } from "../../../core/history/segmentInfo.ts";

/** Numbers that the rescued records will have. */
export interface RescuedNumbers {
  /** Of messages and summaries, by id. */
  readonly messages: readonly number[];
  readonly summaries: readonly number[];
  /** Of the other records that were found, by the number that they had. */
  readonly others: ReadonlyMap<number, number>;
  /** By number. */
  readonly kinds: readonly IndexRecord["kind"][];
}

export class RescuedSegments {
  readonly #numbers: ReadonlyMap<number, number>;
  /** The first record that is in no segment: from there on all are looked at again. */
  readonly #coveredTo: number;

  constructor(found: readonly (readonly [number: number, record: IndexRecord])[], rescued: RescuedNumbers) {
    const numbers = new Map(rescued.others);
    const note = ([number, id]: RecordPlace, of: readonly number[]): void => {
      const now = of[id];
      if (now !== undefined) numbers.set(number, now);
    };
    const covered = new Set<number>();
    for (const [number, record] of found) {
      if (record.kind === "entry") note([number, record.entry.id], rescued.messages);
      if (record.kind === "summary") note([number, record.summary.id], rescued.summaries);
      if (record.kind !== "segment") continue;
      for (const place of record.messages ?? []) note(place, rescued.messages);
      for (const place of record.summaries ?? []) note(place, rescued.summaries);
    }
    this.#numbers = numbers;
    for (const [, record] of found) {
      if (record.kind !== "segment") continue;
      for (const { number, count } of this.#runs(record)) for (let at = 0; at < count; at++) covered.add(number + at);
    }
    const first = rescued.kinds.findIndex((kind, number) => kind !== "segment" && !covered.has(number));
    this.#coveredTo = first < 0 ? rescued.kinds.length : first;
  }

  /** The same segment, with the numbers that its records have now. */
  rescued(record: SegmentRecord): SegmentRecord {
    const { messages, summaries, publishedTo } = record;
    return {
      ...record,
      runs: this.#runs(record),
      ...(messages === undefined ? {} : { messages: this.#places(messages) }),
      ...(summaries === undefined ? {} : { summaries: this.#places(summaries) }),
      ...(publishedTo === undefined ? {} : { publishedTo: this.#coveredTo }),
    };
  }

  #runs({ runs }: SegmentRecord): readonly SegmentRun[] {
    const places = runs
      .flatMap(({ number, index, count }) =>
        Array.from({ length: count }, (_, at) => ({ number: this.#numbers.get(number + at), index: index + at })),
      )
      .flatMap(({ number, index }) => (number === undefined ? [] : [{ number, index }]))
      .sort((one, other) => one.number - other.number);
    const joined: SegmentRun[] = [];
    for (const { number, index } of places) {
      const last = joined.at(-1);
      if (last !== undefined && last.number + last.count === number && last.index + last.count === index)
        joined.splice(-1, 1, { ...last, count: last.count + 1 });
      else joined.push({ number, index, count: 1 });
    }
    return joined;
  }

  #places(places: readonly RecordPlace[]): readonly RecordPlace[] {
    return places.flatMap(([number, id]): readonly RecordPlace[] => {
      const now = this.#numbers.get(number);
      return now === undefined ? [] : [[now, id]];
    });
  }
}
