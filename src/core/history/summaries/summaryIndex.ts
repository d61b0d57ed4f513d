/**
 * All summaries ever made, each with its present state. Invariant: usable ones are nested or disjoint; where restoring
 * one would break that, the older of the two becomes `replaced`.
 */

import { messageId, type MessageId, type SummaryId } from "../../ids.ts";
import { invariant } from "../../result.ts";
import { RangeIndex } from "../rangeIndex.ts";
import { erasedSummary, type MessageRange, type Summary, type SummaryState } from "./summary.ts";
import { partlyOverlaps, summaryForest, type SummaryNode } from "./summaryForest.ts";

export class SummaryIndex {
  #all: Summary[] = [];
  /** By summary id: whether its source is unchanged. */
  #isSourceUnchanged: boolean[] = [];
  readonly #hashOf: (range: MessageRange) => string;
  readonly #ranges = new RangeIndex<SummaryId>();
  /** Cached result of `usable`; cleared when any summary changes. */
  #usable: { readonly count: number; readonly roots: readonly SummaryNode[] } | undefined;

  /** `hashOf` returns the current fingerprint of a range. */
  constructor(hashOf: (range: MessageRange) => string) {
    this.#hashOf = hashOf;
  }

  copy(hashOf: (range: MessageRange) => string): SummaryIndex {
    const copy = new SummaryIndex(hashOf);
    copy.#all = this.#all.slice();
    copy.#isSourceUnchanged = this.#isSourceUnchanged.slice();
    for (const { id, covers } of this.#all) copy.#ranges.add(id, covers);
    return copy;
  }

  /** In id order. */
  get all(): readonly Summary[] {
    return this.#all;
  }

  /** Throws on an unknown id: that is a bug. */
  get(id: SummaryId): Summary {
    const summary = this.#all[id];
    invariant(summary !== undefined, `summary ${String(id)} is in the history`);
    return summary;
  }

  add(summary: Summary): void {
    const next = this.#all.length;
    invariant(summary.id === next, `summary ${String(summary.id)} is number ${String(next)}`);
    this.#all.push(summary);
    this.#ranges.add(summary.id, summary.covers);
    this.#isSourceUnchanged.push(this.#hashOf(summary.covers) === summary.sourceHash);
    this.#replaceConflicts([summary.id]);
  }

  setState(id: SummaryId, state: SummaryState): void {
    this.#all[id] = { ...this.get(id), state };
    this.#replaceConflicts([id]);
  }

  /** Permanently erases the text of every summary that was made from message `erased`. */
  erase(erased: MessageId): void {
    this.#usable = undefined;
    for (const id of this.#ranges.overlapping({ start: erased, end: messageId(erased + 1) })) {
      this.#all[id] = erasedSummary(this.get(id));
      this.#isSourceUnchanged[id] = false;
    }
  }

  /** Checks the sources of the summaries that overlap `range` again. */
  recheck(range: MessageRange): void {
    const touched = this.#ranges.overlapping(range).toSorted((one, other) => one - other);
    for (const id of touched) {
      const { covers, sourceHash } = this.get(id);
      this.#isSourceUnchanged[id] = this.#hashOf(covers) === sourceHash;
    }
    this.#replaceConflicts(touched);
  }

  /** Active, with an unchanged source. */
  isUsable(id: SummaryId): boolean {
    return this.get(id).state === "active" && this.#isSourceUnchanged[id] === true;
  }

  /** The usable ones of the first `count`, nested by range. */
  usable(count: number): readonly SummaryNode[] {
    if (this.#usable?.count === count) return this.#usable.roots;
    const usable = this.#all.slice(0, count).filter(({ id }) => this.isUsable(id));
    const roots = summaryForest(usable.reverse());
    this.#usable = { count, roots };
    return roots;
  }

  /** Of each summary in `changed` and each usable one that partly overlaps it, the older one becomes `replaced`. */
  #replaceConflicts(changed: readonly SummaryId[]): void {
    this.#usable = undefined;
    for (const id of changed) {
      if (!this.isUsable(id)) continue;
      const conflicts = this.#conflictsWith(this.get(id).covers);
      if (conflicts.some((other) => other > id)) this.#replace(id);
      else for (const older of conflicts) this.#replace(older);
    }
  }

  /** Usable summaries that partly overlap `range`: one of its edges lies strictly inside them. */
  #conflictsWith(range: MessageRange): readonly SummaryId[] {
    const cuts = (other: MessageRange): boolean => partlyOverlaps(other, range);
    const found = [
      ...this.#ranges.strictlyContaining(range.start, cuts),
      ...this.#ranges.strictlyContaining(range.end, cuts),
    ];
    return found.filter((id) => this.isUsable(id));
  }

  #replace(id: SummaryId): void {
    this.#all[id] = { ...this.get(id), state: "replaced" };
  }
}
