/** Measures how long the model thinks before its answer begins, while it streams; later the history has the figure. */

import type { MessageRow } from "../../protocol/toView.ts";

export class ThinkingTime {
  #rowId = "";
  #startedAtMs = 0;

  /** Called for each chunk; returns milliseconds at the first text after thinking, else null. */
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
