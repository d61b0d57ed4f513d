/** Which messages are out of the view that is sent and shown. */

import type { HistoryEntry } from "../message.ts";
import type { MessageRange } from "./summary.ts";

/** The hidden messages of one history. */
export class HiddenMessages {
  readonly #ids: Set<number>;

  constructor(ids: Iterable<number> = []) {
    this.#ids = new Set(ids);
  }

  /** The same messages, to be continued in another way. */
  copy(): HiddenMessages {
    return new HiddenMessages(this.#ids);
  }

  /** Hides a range, or shows it again. */
  set({ start, end }: MessageRange, hidden: boolean): void {
    for (let id: number = start; id < end; id++) {
      if (hidden) this.#ids.add(id);
      else this.#ids.delete(id);
    }
  }

  /** Whether a message is hidden. A tool batch is as its call is. */
  has({ id, batch }: Pick<HistoryEntry, "id" | "batch">): boolean {
    return this.#ids.size > 0 && this.#ids.has(batch ?? id);
  }

  /** How many there are from `start` up to `end`; takes as long as there are hidden ones. */
  countIn(start: number, end: number): number {
    let count = 0;
    for (const id of this.#ids) if (start <= id && id < end) count++;
    return count;
  }
}
