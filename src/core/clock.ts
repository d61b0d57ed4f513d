export interface Clock {
  /** Milliseconds since 1970; may jump when the user sets the clock. */
  nowMs(): number;
  /** Calls `callback` once, at least `delayMs` later; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}
