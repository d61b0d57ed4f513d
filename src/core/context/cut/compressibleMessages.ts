/** The messages that may stand in a summary (visible, and not among those that are always sent), and what they cost. */

import type { FullHistory } from "../../history/fullHistory.ts";
import { messageId, type MessageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import { MESSAGES_A_SLICE, Slice, type Steps } from "../../cooperativeTask.ts";
import type { TokenCosts } from "../tokenCosts.ts";
import { isPreserved, type PreservedMessages } from "./preservedMessages.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Sums over any range of the first messages of a history, after one pass over them. */
export class CompressibleMessages {
  /** The other visible messages, which are always sent; oldest first. */
  readonly preserved: readonly HistoryEntry[];
  readonly #sums: Float64Array;

  private constructor(preserved: readonly HistoryEntry[], sums: Float64Array) {
    this.preserved = preserved;
    this.#sums = sums;
  }

  /** The compressible ones among the messages before `end`. */
  static *of(
    history: FullHistory,
    costs: TokenCosts,
    { preserved, end }: { readonly preserved: PreservedMessages; readonly end: number },
  ): Steps<CompressibleMessages> {
    const slice = new Slice(MESSAGES_A_SLICE);
    const sent: HistoryEntry[] = [];
    const sums = new Float64Array(end + 1);
    let sum = 0;
    for (let id = 0; id < end; id++) {
      const entry = history.entries[id];
      if (entry !== undefined && history.isVisible(entry)) {
        if (isPreserved(preserved, entry.id)) sent.push(entry);
        else sum += costs.ofEntry(entry);
      }
      sums[id + 1] = sum;
      if (slice.isOver(1)) yield;
    }
    return new CompressibleMessages(sent, sums);
  }

  /** Tokens of the compressible messages of a range; 0 when there is none. */
  tokensIn({ start, end }: Range): number {
    return this.#at(end) - this.#at(start);
  }

  /** Whether message `id` is one. */
  has(id: number): boolean {
    return this.tokensIn({ start: id, end: id + 1 }) > 0;
  }

  /** The compressible messages of a range, oldest first. */
  idsIn({ start, end }: Range): readonly MessageId[] {
    const ids: MessageId[] = [];
    for (let id = start; id < end; id++) if (this.has(id)) ids.push(messageId(id));
    return ids;
  }

  #at(position: number): number {
    return this.#sums[Math.min(position, this.#sums.length - 1)] ?? 0;
  }
}
