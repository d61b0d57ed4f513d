/**
 * Incremental count of a growing text. Pre-tokens before the last two can no longer change when text is appended, so
 * they are counted once, and only the rest is recounted. The total always equals a count of the whole.
 */

import type { BpeCounter } from "./bpe/bpeCounter.ts";
import { LONGEST_RUN } from "./bpe/preTokenizer.ts";

export class LiveCounter {
  private readonly counter: BpeCounter;
  private readonly longestRun: number;
  private tail = "";
  private settledTokens = 0;
  private tailTokens = 0;

  constructor(counter: BpeCounter, longestRun = LONGEST_RUN) {
    this.counter = counter;
    this.longestRun = longestRun;
  }

  /** Tokens of everything added so far. */
  get total(): number {
    return this.settledTokens + this.tailTokens;
  }

  /** Appends text; returns the new total. */
  push(delta: string): number {
    const text = this.tail + delta;
    const starts: number[] = [];
    const tokens: number[] = [];
    for (let start = 0; start < text.length;) {
      const end = this.counter.endOfPreToken(text, start);
      starts.push(start);
      tokens.push(this.counter.countPreToken(text, start, end));
      start = end;
    }
    const settled = this.settledCount(starts);
    for (const count of tokens.slice(0, settled)) this.settledTokens += count;
    this.tailTokens = tokens.slice(settled).reduce((sum, count) => sum + count, 0);
    this.tail = text.slice(starts[settled] ?? text.length);
    return this.total;
  }

  /** Number of final pre-tokens: all but the last two, or one more when it was cut for its length. */
  private settledCount(starts: readonly number[]): number {
    const beforeLast = Math.max(0, starts.length - 2);
    const isCut = (starts[beforeLast + 1] ?? 0) - (starts[beforeLast] ?? 0) >= this.longestRun;
    return isCut ? beforeLast + 1 : beforeLast;
  }
}
