/**
 * Summaries nested by range: a summary lies inside the one that covers all of its range and more, or the same range at
 * a higher level. Any two are nested or disjoint.
 */

import { lowerBound } from "../lowerBound.ts";
import type { MessageRange, Summary } from "./summary.ts";

/** `children` are oldest first. */
export interface SummaryNode {
  readonly summary: Summary;
  readonly children: readonly SummaryNode[];
}

/**
 * Nests summaries. Of two versions for the same range and level the newer one wins. One that partly overlaps a newer
 * one is dropped: it can only be there because the newer one was made while it was not in use.
 */
export function summaryForest(newestFirst: Iterable<Summary>): readonly SummaryNode[] {
  const roots: MutableNode[] = [];
  for (const summary of newestFirst) insert(roots, summary);
  return roots;
}

export function contains(outer: MessageRange, inner: MessageRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Whether two ranges overlap and neither contains the other. */
export function partlyOverlaps(one: MessageRange, other: MessageRange): boolean {
  return one.start < other.end && other.start < one.end && !contains(one, other) && !contains(other, one);
}

/** All summaries of a forest, parents before children. */
export function* allSummaries(nodes: readonly SummaryNode[]): Generator<Summary> {
  for (const { summary, children } of nodes) {
    yield summary;
    yield* allSummaries(children);
  }
}

/** The outermost summaries within `covers`, oldest first, except other versions of its summary at `level`. */
export function outermostInside(
  covers: MessageRange,
  level: number,
  nodes: readonly SummaryNode[],
): readonly SummaryNode[] {
  return nodes.flatMap((node) => {
    const { summary } = node;
    if (summary.covers.end <= covers.start || covers.end <= summary.covers.start) return [];
    const isPart = contains(covers, summary.covers) && (!contains(summary.covers, covers) || summary.level < level);
    return isPart ? [node] : outermostInside(covers, level, node.children);
  });
}

interface MutableNode extends SummaryNode {
  readonly children: MutableNode[];
}

function insert(roots: MutableNode[], summary: Summary): void {
  let siblings = roots;
  for (;;) {
    // Siblings are disjoint and sorted.
    const from = lowerBound(siblings, (node) => node.summary.covers.end <= summary.covers.start);
    const touched = startingBefore(siblings, from, summary.covers.end);
    const [first] = touched;
    if (first !== undefined && touched.length === 1 && belongsInside(summary, first.summary)) {
      siblings = first.children;
      continue;
    }
    const takesAll = touched.every((node) => belongsInside(node.summary, summary));
    if (takesAll) siblings.splice(from, touched.length, { summary, children: touched });
    return;
  }
}

function belongsInside(inner: Summary, outer: Summary): boolean {
  if (!contains(outer.covers, inner.covers)) return false;
  return !contains(inner.covers, outer.covers) || inner.level < outer.level;
}

function startingBefore(siblings: readonly MutableNode[], from: number, position: number): MutableNode[] {
  const touched: MutableNode[] = [];
  for (let index = from; ; index++) {
    const node = siblings[index];
    if (node === undefined || node.summary.covers.start >= position) return touched;
    touched.push(node);
  }
}
