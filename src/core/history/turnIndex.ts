/** First messages of all turns of a conversation, oldest first. */

import type { MessageId } from "../ids.ts";
import { lowerBound } from "./lowerBound.ts";

export class TurnIndex {
  readonly #starts: MessageId[];

  constructor(starts: readonly MessageId[] = []) {
    this.#starts = [...starts];
  }

  copy(): TurnIndex {
    return new TurnIndex(this.#starts);
  }

  /** Adds the turn of the newest message, unless it is known already. A version of an earlier turn may follow later ones. */
  addTurn(turn: MessageId): void {
    const at = lowerBound(this.#starts, (start) => start < turn);
    if (this.#starts[at] !== turn) this.#starts.splice(at, 0, turn);
  }

  /** Number of turns that began before the one that `turn` begins. */
  numberOf(turn: MessageId): number {
    return lowerBound(this.#starts, (start) => start < turn);
  }
}
