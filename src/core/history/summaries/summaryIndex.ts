/**
 * All summaries that were ever made, each with its present state. Of those that may be used, any two are nested or
 * disjoint: where bringing one back would break that, the older one counts as replaced.
 */

import { messageId, type MessageId, type SummaryId } from "../../ids.ts";
import { invariant } from "../../result.ts";
import { RangeIndex } from "../rangeIndex.ts";
import { erasedSummary, type MessageRange, type Summary, type SummaryState } from "./summary.ts";
import { cutsInto, summaryForest, type SummaryNode } from "./summaryForest.ts";

/** The summaries of one history. */
export class SummaryIndex {
  #all: Summary[] = [];
  /** For each summary, whether what it was made from is still what is there. */
  #sourceHolds: boolean[] = [];
  readonly #hashOf: (range: MessageRange) => string;
  /** All of them by what they cover. */
  readonly #ranges = new RangeIndex<SummaryId>();
  /** The last answer of `usable`, until something happens to a summary. */
  #usable: { readonly count: number; readonly roots: readonly SummaryNode[] } | undefined;

  /** `hashOf` answers the fingerprint of a range as it is now. */
  constructor(hashOf: (range: MessageRange) => string) {
    this.#hashOf = hashOf;
  }

  /** The same summaries, over a copy of the history. */
  copy(hashOf: (range: MessageRange) => string): SummaryIndex {
    const copy = new SummaryIndex(hashOf);
    copy.#all = this.#all.slice();
    copy.#sourceHolds = this.#sourceHolds.slice();
    for (const { id, covers } of this.#all) copy.#ranges.add(id, covers);
    return copy;
  }

  /** In the order of their ids. */
  get all(): readonly Summary[] {
    return this.#all;
  }

  /** Summary `id` in its present state; an id of another conversation is a bug and throws. */
  get(id: SummaryId): Summary {
    const summary = this.#all[id];
    invariant(summary !== undefined, `summary ${String(id)} is in the history`);
    return summary;
  }

  /** Adds the next summary. */
  add(summary: Summary): void {
    const next = this.#all.length;
    invariant(summary.id === next, `summary ${String(summary.id)} is number ${String(next)}`);
    this.#all.push(summary);
    this.#ranges.add(summary.id, summary.covers);
    this.#sourceHolds.push(this.#hashOf(summary.covers) === summary.sourceHash);
    this.#settle([summary.id]);
  }

  /** Gives a summary another state. */
  setState(id: SummaryId, state: SummaryState): void {
    this.#all[id] = { ...this.get(id), state };
    this.#settle([id]);
  }

  /** Erases the words of every summary that was made of message `erased`, for good. */
  erase(erased: MessageId): void {
    this.#usable = undefined;
    for (const id of this.#ranges.overlapping({ start: erased, end: messageId(erased + 1) })) {
      this.#all[id] = erasedSummary(this.get(id));
      this.#sourceHolds[id] = false;
    }
  }

  /** Looks again at the sources of the summaries that share a message with `range`. */
  recheck(range: MessageRange): void {
    const touched = this.#ranges.overlapping(range).toSorted((one, other) => one - other);
    for (const id of touched) {
      const { covers, sourceHash } = this.get(id);
      this.#sourceHolds[id] = this.#hashOf(covers) === sourceHash;
    }
    this.#settle(touched);
  }

  /** Whether a summary may stand in the context: active, and its source as it was. */
  isUsable(id: SummaryId): boolean {
    return this.get(id).state === "active" && this.#sourceHolds[id] === true;
  }

  /** The usable ones of the first `count`, arranged by what they cover. */
  usable(count: number): readonly SummaryNode[] {
    if (this.#usable?.count === count) return this.#usable.roots;
    const usable = this.#all.slice(0, count).filter(({ id }) => this.isUsable(id));
    const roots = summaryForest(usable.reverse());
    this.#usable = { count, roots };
    return roots;
  }

  /** Of each pair of `changed` and any other that cut into each other, the older one is replaced. */
  #settle(changed: readonly SummaryId[]): void {
    this.#usable = undefined;
    for (const id of changed) {
      if (!this.isUsable(id)) continue;
      const conflicts = this.#cutting(this.get(id).covers);
      if (conflicts.some((other) => other > id)) this.#replace(id);
      else for (const older of conflicts) this.#replace(older);
    }
  }

  /** The usable ones that cut into `range`: one of its edges lies inside of them. */
  #cutting(range: MessageRange): readonly SummaryId[] {
    const cuts = (other: MessageRange): boolean => cutsInto(other, range);
    const found = [...this.#ranges.around(range.start, cuts), ...this.#ranges.around(range.end, cuts)];
    return found.filter((id) => this.isUsable(id));
  }

  #replace(id: SummaryId): void {
    this.#all[id] = { ...this.get(id), state: "replaced" };
  }
}
