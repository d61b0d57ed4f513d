/**
 * Bounds the model calls of one compaction. What would need more is extracted at once, and its notes are written later:
 * a long import that meets a small window would else cost the user minutes.
 */

export const MOST_CALLS = 10;

export class CallAllowance {
  #left: number;

  constructor(calls = MOST_CALLS) {
    this.#left = calls;
  }

  get left(): number {
    return this.#left;
  }

  /** Divides what is left among parts that are written side by side, the first ones getting the rest. */
  divide(parts: number): readonly CallAllowance[] {
    const left = this.#left;
    if (left !== Infinity) this.#left = 0;
    return Array.from({ length: parts }, (_, index) => {
      const own = left === Infinity ? left : Math.floor(left / parts) + (index < left % parts ? 1 : 0);
      return new CallAllowance(own);
    });
  }

  /** Takes back what a part has not used. */
  giveBack(part: CallAllowance): void {
    this.#left += part.#left;
    part.#left = 0;
  }

  /** Takes one call; false if none is left. */
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left--;
    return true;
  }
}
