/** Messages that are neither sent nor shown. */

import type { HistoryEntry } from "../../message.ts";
import type { MessageRange } from "../summaries/summary.ts";

export class HiddenMessages {
  /** Sequence number of the hiding, by message id. */
  readonly #sequenceNumbers: Map<number, number>;
  #last: number;

  constructor(sequenceNumbers: Iterable<readonly [number, number]> = [], last = 0) {
    this.#sequenceNumbers = new Map(sequenceNumbers);
    this.#last = last;
  }

  copy(): HiddenMessages {
    return new HiddenMessages(this.#sequenceNumbers, this.#last);
  }

  /** A message that is hidden already keeps its sequence number. */
  set({ start, end }: MessageRange, hidden: boolean): void {
    for (let id: number = start; id < end; id++) {
      if (!hidden) this.#sequenceNumbers.delete(id);
      else if (!this.#sequenceNumbers.has(id)) this.#sequenceNumbers.set(id, ++this.#last);
    }
  }

  /** A tool batch is hidden if its call is. */
  has({ id, batch }: Pick<HistoryEntry, "id" | "batch">): boolean {
    return this.#sequenceNumbers.size > 0 && this.#sequenceNumbers.has(batch ?? id);
  }

  /** The one of `ids` that was visible last: the last one that is not hidden, else the one hidden last. */
  lastVisibleOf<Id extends number>(ids: readonly Id[]): Id | undefined {
    const sequenceOf = (id: Id | undefined): number =>
      id === undefined ? -1 : (this.#sequenceNumbers.get(id) ?? Infinity);
    return ids.reduce<Id | undefined>((last, id) => (sequenceOf(id) < sequenceOf(last) ? last : id), undefined);
  }

  /** Number of hidden messages from `start` to before `end`; O(all hidden messages). */
  countIn(start: number, end: number): number {
    let count = 0;
    for (const id of this.#sequenceNumbers.keys()) if (start <= id && id < end) count++;
    return count;
  }
}
