/**
 * Representation of each summarized block: first the coarsest, then, newest first, the originals if they fit, else the
 * finest mix of levels that fits. Spec §4, steps 3 and 4.
 */

import type { MessageRange } from "../../history/summaries/summary.ts";
import type { SummaryNode } from "../../history/summaries/summaryForest.ts";

/** `mix`: the child summaries, each with a choice of its own, and the originals between them. */
export type Representation = "originals" | "summary" | "mix";

export interface DetailCosts {
  /** Tokens of the compressible messages of a range. */
  readonly originals: (range: MessageRange) => number;
  readonly summary: (node: SummaryNode) => number;
  /** Whether a summary's originals may be restored. */
  readonly mayRestore: (node: SummaryNode) => boolean;
  /** True for a summary made just now, which is not to be sent in the parts that it was made of. */
  readonly isNewest: (node: SummaryNode) => boolean;
}

export class DetailAllocation {
  readonly #costs: DetailCosts;
  readonly #refined = new Map<SummaryNode, Representation>();

  constructor(costs: DetailCosts) {
    this.#costs = costs;
  }

  /** Whether any block is finer than necessary. */
  get isRefined(): boolean {
    return this.#refined.size > 0;
  }

  /** A summary that costs more than its originals is never used. */
  representationOf(node: SummaryNode): Representation {
    return this.#refined.get(node) ?? (this.#originalsAreSmaller(node) ? "originals" : "summary");
  }

  /** Tokens of a block in its coarsest form. */
  coarsest(node: SummaryNode): number {
    return Math.min(this.#costs.originals(node.summary.covers), this.#costs.summary(node));
  }

  /** Tokens of the blocks before the newest summaries were made. */
  beforeNewest(nodes: readonly SummaryNode[]): number {
    return sum(nodes, (node) =>
      this.#costs.isNewest(node) ? this.#betweenChildren(node) + this.beforeNewest(node.children) : this.coarsest(node),
    );
  }

  /** Spends at most `room` tokens on `roots`, newest first. `isSplit`: also on the parts of summaries. */
  refine(roots: readonly SummaryNode[], room: number, isSplit: boolean): void {
    let left = room;
    for (const node of roots.toReversed()) left -= this.#refineOne(node, left, isSplit);
  }

  /** Returns the tokens spent. */
  #refineOne(node: SummaryNode, room: number, isSplit: boolean): number {
    const mayRestore = this.#costs.mayRestore(node);
    const maySplit = isSplit && !this.#costs.isNewest(node) && node.summary.generatedBy !== "user";
    if (this.#originalsAreSmaller(node) || !(mayRestore || maySplit)) return 0;
    const now = this.coarsest(node);
    const forOriginals = this.#costs.originals(node.summary.covers) - now;
    if (mayRestore && forOriginals <= room) {
      this.#refined.set(node, "originals");
      return forOriginals;
    }
    const forMix = this.#betweenChildren(node) + sum(node.children, (child) => this.coarsest(child)) - now;
    if (node.children.length === 0 || forMix > room) return 0;
    this.#refined.set(node, "mix");
    let spent = forMix;
    for (const child of node.children.toReversed()) spent += this.#refineOne(child, room - spent, isSplit);
    return spent;
  }

  #originalsAreSmaller(node: SummaryNode): boolean {
    return this.#costs.originals(node.summary.covers) <= this.#costs.summary(node);
  }

  /** Originals in none of the children. */
  #betweenChildren({ summary, children }: SummaryNode): number {
    return (
      this.#costs.originals(summary.covers) - sum(children, (child) => this.#costs.originals(child.summary.covers))
    );
  }
}

function sum(nodes: readonly SummaryNode[], tokensOf: (node: SummaryNode) => number): number {
  return nodes.reduce((total, node) => total + tokensOf(node), 0);
}
