/** Which messages are out of the view that is sent and shown. */

import type { HistoryEntry } from "../../message.ts";
import type { MessageRange } from "../summaries/summary.ts";

/** The hidden messages of one history. */
export class HiddenMessages {
  /** Which was hidden before which. */
  readonly #turns: Map<number, number>;
  #last: number;

  constructor(turns: Iterable<readonly [number, number]> = [], last = 0) {
    this.#turns = new Map(turns);
    this.#last = last;
  }

  /** The same messages, to be continued in another way. */
  copy(): HiddenMessages {
    return new HiddenMessages(this.#turns, this.#last);
  }

  /** Hides a range, or shows it again. */
  set({ start, end }: MessageRange, hidden: boolean): void {
    for (let id: number = start; id < end; id++) {
      if (!hidden) this.#turns.delete(id);
      else if (!this.#turns.has(id)) this.#turns.set(id, ++this.#last);
    }
  }

  /** Whether a message is hidden. A tool batch is as its call is. */
  has({ id, batch }: Pick<HistoryEntry, "id" | "batch">): boolean {
    return this.#turns.size > 0 && this.#turns.has(batch ?? id);
  }

  /** The one of `ids` that was seen last: the last one that is not hidden, or else the one that was hidden last. */
  lastSeen<Id extends number>(ids: readonly Id[]): Id | undefined {
    const turnOf = (id: Id | undefined): number => (id === undefined ? -1 : (this.#turns.get(id) ?? Infinity));
    return ids.reduce<Id | undefined>((last, id) => (turnOf(id) < turnOf(last) ? last : id), undefined);
  }

  /** How many there are from `start` up to `end`; takes as long as there are hidden ones. */
  countIn(start: number, end: number): number {
    let count = 0;
    for (const id of this.#turns.keys()) if (start <= id && id < end) count++;
    return count;
  }
}
