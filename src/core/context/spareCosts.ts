/** Costs of the messages that may stand in a summary: visible, and not among those that are always sent. */

import type { FullHistory } from "../history/fullHistory.ts";
import type { MessageRange } from "../history/summary.ts";
import type { HistoryEntry } from "../message.ts";
import { MESSAGES_A_SLICE, Slice, type Steps } from "../steps.ts";
import { isKept, type KeptMessages } from "./keptMessages.ts";
import type { TokenCosts } from "./tokenCosts.ts";

/** Sums over any range of the first `end` messages, after one pass over them. */
export class SpareCosts {
  /** The visible messages that are always sent, oldest first. */
  readonly keptEntries: readonly HistoryEntry[];
  readonly #sums: Float64Array;

  private constructor(keptEntries: readonly HistoryEntry[], sums: Float64Array) {
    this.keptEntries = keptEntries;
    this.#sums = sums;
  }

  /** The costs of the messages before `cut.end`. */
  static *of(
    history: FullHistory,
    costs: TokenCosts,
    cut: { readonly kept: KeptMessages; readonly end: number },
  ): Steps<SpareCosts> {
    const slice = new Slice(MESSAGES_A_SLICE);
    const keptEntries: HistoryEntry[] = [];
    const sums = new Float64Array(cut.end + 1);
    let sum = 0;
    for (let id = 0; id < cut.end; id++) {
      const entry = history.entries[id];
      if (entry !== undefined && history.isVisible(entry)) {
        if (isKept(cut.kept, entry.id)) keptEntries.push(entry);
        else sum += costs.ofEntry(entry);
      }
      sums[id + 1] = sum;
      if (slice.isOver(1)) yield;
    }
    return new SpareCosts(keptEntries, sums);
  }

  /** Tokens of the messages of a range that may stand in a summary; 0 when there is none. */
  between({ start, end }: { readonly start: number; readonly end: number }): number {
    return this.#at(end) - this.#at(start);
  }

  /** Whether message `id` may stand in a summary. */
  isSpare(id: number): boolean {
    return this.between({ start: id, end: id + 1 }) > 0;
  }

  #at(position: number): number {
    return this.#sums[Math.min(position, this.#sums.length - 1)] ?? 0;
  }
}

/** What of `range` lies in none of `parts`, which are disjoint and sorted. */
export function gapsBetween(
  range: { readonly start: number; readonly end: number },
  parts: readonly MessageRange[],
): readonly { readonly start: number; readonly end: number }[] {
  const gaps: { start: number; end: number }[] = [];
  let at = range.start;
  for (const part of parts) {
    if (part.start > at) gaps.push({ start: at, end: part.start });
    at = part.end;
  }
  if (range.end > at) gaps.push({ start: at, end: range.end });
  return gaps;
}
