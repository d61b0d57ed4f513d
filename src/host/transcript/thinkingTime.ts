/** How long the model thinks before it begins to answer, while that is seen; later the history says it. */

import type { MessageRow } from "../../protocol/toView.ts";

/** The thinking of the answer that is being written. */
export class ThinkingTime {
  #rowId = "";
  #startedAtMs = 0;

  /** To be told of each piece at its time; answers the milliseconds when the first words come behind thinking, else null. */
  msAt(
    { rowId, thinking }: Pick<MessageRow, "rowId" | "thinking">,
    part: "text" | "thinking",
    nowMs: number,
  ): number | null {
    if (part === "thinking") {
      if (this.#rowId !== rowId) this.#startedAtMs = nowMs;
      this.#rowId = rowId;
      return null;
    }
    const ms = nowMs - this.#startedAtMs;
    return thinking !== "" && this.#rowId === rowId && ms > 0 ? ms : null;
  }
}
