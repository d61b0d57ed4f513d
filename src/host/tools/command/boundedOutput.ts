/** Output of any length, of which only the beginning and the end are retained. */

import { placeAfter, placeBefore } from "../../../core/cutText.ts";
import { counted } from "../resultText.ts";

/** UTF-16 units retained of the beginning and of the end. */
export interface OutputBounds {
  readonly head: number;
  readonly tail: number;
}

/** Errors are at the end more often than at the beginning. */
export const USUAL_BOUNDS: OutputBounds = { head: 32_000, tail: 96_000 };

/** The work is linear in the length of the output. */
export class BoundedOutput {
  readonly #bounds: OutputBounds;
  #head = "";
  #isHeadFull = false;
  #tail = "";
  #dropped = 0;

  constructor(bounds: OutputBounds = USUAL_BOUNDS) {
    this.#bounds = bounds;
  }

  add(piece: string): void {
    const room = this.#isHeadFull ? 0 : placeBefore(piece, this.#bounds.head - this.#head.length);
    this.#isHeadFull ||= room < piece.length;
    this.#head += piece.slice(0, room);
    this.#tail += piece.slice(room);
    // Cutting only now and then saves many small chunks from copying the tail each time.
    if (this.#tail.length > 2 * this.#bounds.tail) this.#cut();
  }

  /**
   * The retained output. At the gap, only whole lines are retained if there are any; a mark says how much is missing.
   */
  text(): string {
    this.#cut();
    if (this.#dropped === 0) return this.#head + this.#tail;
    const headEnd = this.#head.lastIndexOf("\n") + 1;
    const tailStart = this.#tail.indexOf("\n") + 1;
    const head = headEnd > 0 ? this.#head.slice(0, headEnd) : `${this.#head}\n`;
    const tail = this.#tail.slice(tailStart);
    const dropped = this.#dropped + (headEnd > 0 ? this.#head.length - headEnd : 0) + tailStart;
    return `${head}… ${counted(dropped, "character")} left out …\n${tail}`;
  }

  #cut(): void {
    if (this.#tail.length <= this.#bounds.tail) return;
    const over = placeAfter(this.#tail, this.#tail.length - this.#bounds.tail);
    this.#tail = this.#tail.slice(over);
    this.#dropped += over;
  }
}
