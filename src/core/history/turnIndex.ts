/** First messages of all turns of a conversation, oldest first. */

import type { MessageId } from "../ids.ts";
import { firstIndex } from "./firstIndex.ts";

export class TurnIndex {
  readonly #starts: MessageId[];

  constructor(starts: readonly MessageId[] = []) {
    this.#starts = [...starts];
  }

  copy(): TurnIndex {
    return new TurnIndex(this.#starts);
  }

  /** Adds the turn of the newest message, unless it is known already. */
  note(turn: MessageId): void {
    if (this.#starts.at(-1) !== turn) this.#starts.push(turn);
  }

  /** Number of turns that began before the one that `turn` begins. */
  number(turn: MessageId): number {
    return firstIndex(this.#starts, (start) => start < turn);
  }
}
