/** Branches that begin at one place, of which one is shown. Pure queries of the history. */

import { type MessageId, messageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import type { FullHistory } from "../fullHistory.ts";
import type { MessageRange } from "../summaries/summary.ts";

export interface BranchPlace {
  /** Sibling branches, oldest first; at least two. */
  readonly siblings: readonly MessageId[];
  /** Index of the message itself in `ways`. */
  readonly index: number;
}

/** Siblings of message `id` of the same kind (questions beside questions); `undefined` if there are none. */
export function branchPlace(history: FullHistory, id: MessageId): BranchPlace | undefined {
  const entry = history.entry(id);
  if (isResult(entry)) return undefined;
  const siblings = history.branches.siblings(id).filter((other) => isLike(history.entry(other), entry));
  return siblings.length < 2 ? undefined : { siblings, index: siblings.indexOf(id) };
}

/** The question that message `id` is or answers. */
export function questionOf(history: FullHistory, id: MessageId): MessageId | undefined {
  for (let at: MessageId | undefined = id; at !== undefined; at = history.branches.parentOf(at)) {
    const entry = history.entry(at);
    if (entry.role === "user" && !isResult(entry)) return at;
  }
  return undefined;
}

/** Ranges to hide and to show when one branch replaces another. */
export interface BranchChange {
  /** Sorted and disjoint, like `show`. */
  readonly hide: readonly MessageRange[];
  readonly show: readonly MessageRange[];
}

/** Replaces the branch at `from` by the newest one at `to`; what both share is not touched. */
export function branchChange(history: FullHistory, from: MessageId, to: MessageId): BranchChange {
  const shown = history.entries.slice(from).filter((entry) => history.isVisible(entry));
  const wanted = history.branches.newestPathFrom(to).filter((id) => !history.isVisible(history.entry(id)));
  return { hide: rangesOf(shown.map(({ id }) => id)), show: rangesOf(wanted) };
}

/** Ascending ids as ranges, none of which touches the next. */
export function rangesOf(ids: readonly MessageId[]): readonly MessageRange[] {
  const found: { start: MessageId; end: MessageId }[] = [];
  for (const id of ids) {
    const last = found.at(-1);
    const end = messageId(id + 1);
    if (last?.end === id) last.end = end;
    else found.push({ start: id, end });
  }
  return found;
}

function isLike(one: HistoryEntry, other: HistoryEntry): boolean {
  return one.role === other.role && !isResult(one);
}

/** Tool results have role `user`, but are not the user's words. */
function isResult({ role, batch }: HistoryEntry): boolean {
  return role === "user" && batch !== undefined;
}
