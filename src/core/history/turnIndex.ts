/** Where the turns of a conversation begin. */

import type { MessageId } from "../ids.ts";
import { firstIndex } from "./firstIndex.ts";

/** The first messages of all turns, oldest first. */
export class TurnIndex {
  readonly #starts: MessageId[];

  constructor(starts: readonly MessageId[] = []) {
    this.#starts = [...starts];
  }

  /** The same turns, to be continued in another way. */
  copy(): TurnIndex {
    return new TurnIndex(this.#starts);
  }

  /** Takes note of the turn that the newest message belongs to. */
  note(turn: MessageId): void {
    if (this.#starts.at(-1) !== turn) this.#starts.push(turn);
  }

  /** How many turns began before the one that `turn` begins. */
  number(turn: MessageId): number {
    return firstIndex(this.#starts, (start) => start < turn);
  }
}
