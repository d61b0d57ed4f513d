/** The messages that a summary may replace (visible, and not always sent), and their costs. */

import type { FullHistory } from "../../history/fullHistory.ts";
import { messageId, type MessageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import type { TokenCosts } from "../tokenCosts.ts";
import { isPreserved, type PreservedMessages } from "./preservedMessages.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Sums over any range, after one pass over the messages. */
export class CompressibleMessages {
  /** The other visible messages, which are always sent; oldest first. */
  readonly preserved: readonly HistoryEntry[];
  readonly #sums: Float64Array;

  private constructor(preserved: readonly HistoryEntry[], sums: Float64Array) {
    this.preserved = preserved;
    this.#sums = sums;
  }

  /** Considers the messages before `end`. */
  static *of(
    history: FullHistory,
    costs: TokenCosts,
    { preserved, end }: { readonly preserved: PreservedMessages; readonly end: number },
  ): CooperativeTask<CompressibleMessages> {
    const slice = new Slice(MESSAGES_PER_SLICE);
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

  tokensIn({ start, end }: Range): number {
    return this.#at(end) - this.#at(start);
  }

  has(id: number): boolean {
    return this.tokensIn({ start: id, end: id + 1 }) > 0;
  }

  /** Oldest first. */
  idsIn({ start, end }: Range): readonly MessageId[] {
    const ids: MessageId[] = [];
    for (let id = start; id < end; id++) if (this.has(id)) ids.push(messageId(id));
    return ids;
  }

  #at(position: number): number {
    return this.#sums[Math.min(position, this.#sums.length - 1)] ?? 0;
  }
}
