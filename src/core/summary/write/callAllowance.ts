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

  /** Takes one call; false if none is left. */
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left--;
    return true;
  }
}
