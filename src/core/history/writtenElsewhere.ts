/** Messages that other machines wrote, by the names of these: they came as segments of a replica. */

import type { MessageId } from "../ids.ts";
import { lowerBound } from "./lowerBound.ts";
import type { ConversationRecord, IndexRecord } from "./records.ts";

interface Run {
  readonly start: number;
  readonly end: number;
  readonly machine: string;
}

export class WrittenElsewhere {
  /** Records to come, by number. */
  #expected: readonly Run[] = [];
  /** Messages, ascending. */
  #messages: Run[] = [];
  #recordCount = 0;

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  copy(): WrittenElsewhere {
    const copy = new WrittenElsewhere();
    [copy.#expected, copy.#messages, copy.#recordCount] = [this.#expected, [...this.#messages], this.#recordCount];
    return copy;
  }

  /** Records must be applied in their order; a segment comes before its records. */
  apply(record: IndexRecord | ConversationRecord): void {
    const number = this.#recordCount++;
    if (record.kind === "segment" && record.publishedTo === undefined) {
      const { machine } = record.segment;
      const runs = record.runs.map((run) => ({ start: run.number, end: run.number + run.count, machine }));
      this.#expected = [...this.#expected, ...runs].filter(({ end }) => end > number);
    } else if (this.#expected.length > 0 && (record.kind === "message" || record.kind === "entry")) {
      const run = this.#expected.find(({ start, end }) => start <= number && number < end);
      if (run !== undefined) this.#add(record.entry.id, run.machine);
    }
  }

  /** `undefined` for a message that was written here. Its text is another machine's. */
  machineOf(id: MessageId): string | undefined {
    const run = this.#messages[lowerBound(this.#messages, ({ end }) => end <= id)];
    return run !== undefined && run.start <= id ? run.machine : undefined;
  }

  #add(id: MessageId, machine: string): void {
    const last = this.#messages.at(-1);
    if (last?.end === id && last.machine === machine) this.#messages.splice(-1, 1, { ...last, end: id + 1 });
    else this.#messages.push({ start: id, end: id + 1, machine });
  }
}

/** True for a change that placed a segment of another machine. */
export function isFromElsewhere(records: readonly ConversationRecord[]): boolean {
  return records.some((record) => record.kind === "segment" && record.publishedTo === undefined);
}
