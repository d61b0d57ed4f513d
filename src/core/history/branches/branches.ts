/** The ways on that a conversation has taken from one place, of which one is shown. Pure reading of the history. */

import { type MessageId, messageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import type { FullHistory } from "../fullHistory.ts";
import type { MessageRange } from "../summaries/summary.ts";

/** Where a message stands among the others that were said in its place. */
export interface BranchPlace {
  /** All of them, oldest first; more than one. */
  readonly ways: readonly MessageId[];
  /** The place of the message itself. */
  readonly index: number;
}

/** The ways on beside message `id`: of the same kind, questions beside questions. `undefined` where there is only one. */
export function branchPlace(history: FullHistory, id: MessageId): BranchPlace | undefined {
  const entry = history.entry(id);
  if (isResult(entry)) return undefined;
  const ways = history.branches.beside(id).filter((other) => isLike(history.entry(other), entry));
  return ways.length < 2 ? undefined : { ways, index: ways.indexOf(id) };
}

/** The question that message `id` is, or that it was given behind. */
export function questionOf(history: FullHistory, id: MessageId): MessageId | undefined {
  for (let at: MessageId | undefined = id; at !== undefined; at = history.branches.before(at)) {
    const entry = history.entry(at);
    if (entry.role === "user" && !isResult(entry)) return at;
  }
  return undefined;
}

/** What is hidden and what is shown when the way on by `to` takes the place of the one by `from`. */
export interface BranchChange {
  /** In order, apart from each other. */
  readonly hide: readonly MessageRange[];
  readonly show: readonly MessageRange[];
}

/** The change from one way on to another; nothing that both have in common is touched. */
export function branchChange(history: FullHistory, from: MessageId, to: MessageId): BranchChange {
  const shown = history.entries.slice(from).filter((entry) => history.isVisible(entry));
  const wanted = history.branches.newestFrom(to).filter((id) => !history.isVisible(history.entry(id)));
  return { hide: ranges(shown.map(({ id }) => id)), show: ranges(wanted) };
}

/** Ids in order as ranges. */
function ranges(ids: readonly MessageId[]): readonly MessageRange[] {
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

/** The results of tools, which are no words of the user. */
function isResult({ role, batch }: HistoryEntry): boolean {
  return role === "user" && batch !== undefined;
}
