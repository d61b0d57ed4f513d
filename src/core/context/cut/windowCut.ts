/** The cut of a strategy that sends only the newest messages; reads no more than those, however long the history. */

import type { FullHistory } from "../../history/fullHistory.ts";
import { messageId, type MessageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import type { Cut, CutRequest } from "./buildCut.ts";
import { planExcerpts, type PlannedExcerpts, partsOf, segmentOf } from "./plannedExcerpts.ts";
import { preservedMessages } from "./preservedMessages.ts";
import { recentTooLargeError, sumOfParts } from "../tokenCosts.ts";
import { recalledBeside, type RecalledBeside } from "../recalled/recalledSegment.ts";
import { WorkingContext } from "./workingContext.ts";

export interface WindowRequest extends Pick<
  CutRequest,
  "history" | "costs" | "overhead" | "budgetTokens" | "preserveRecent"
> {
  readonly windowMessages: number;
}

/**
 * Sends what is always sent and, of the newest `windowMessages` messages, as many as fit, in whole tool batches. The rest is
 * marked as omitted. Never asks for a summary.
 */
export function windowCut(request: WindowRequest): Cut {
  const { history, costs, overhead, budgetTokens } = request;
  const end = history.length;
  const preserved = preservedMessages(history, end, request.preserveRecent);
  const sent = new Map<MessageId, HistoryEntry>();
  for (const id of preserved.older) sent.set(id, history.entry(id));
  for (const entry of visibleBetween(history, preserved.recentStart, end)) sent.set(entry.id, entry);

  const fixed = [...sent.values()];
  const costOf = (entry: HistoryEntry): number => costs.ofEntry(entry);
  const fixedTokens = sumOfParts(overhead) + fixed.reduce((sum, entry) => sum + costOf(entry), 0);
  const excerpts = planExcerpts(fixed, costs, { excessTokens: fixedTokens - budgetTokens, budgetTokens });
  let used = fixedTokens - excerpts.savedTokens;
  if (used > budgetTokens) {
    const parts = partsOf(fixed, excerpts, request);
    const error = recentTooLargeError(budgetTokens, [...overhead, ...parts], parts.length);
    return { kind: "tooLarge", error, context: assemble(request, { sent, excerpts, recalled: undefined }) };
  }

  const windowStart = preservedMessages(history, end, request.windowMessages).recentStart;
  for (let before: number = preserved.recentStart; before > windowStart;) {
    const { start } = history.atomOf(messageId(before - 1));
    const atom = visibleBetween(history, start, before).filter(({ id }) => !sent.has(id));
    const tokens = atom.reduce((sum, entry) => sum + costOf(entry), 0);
    if (used + tokens > budgetTokens) break;
    used += tokens;
    for (const entry of atom) sent.set(entry.id, entry);
    before = start;
  }
  const recalled = recalledBeside(request, end, budgetTokens - used);
  return { kind: "ready", context: assemble(request, { sent, excerpts, recalled }) };
}

function assemble(
  request: WindowRequest,
  {
    sent,
    excerpts,
    recalled,
  }: {
    readonly sent: ReadonlyMap<MessageId, HistoryEntry>;
    readonly excerpts: PlannedExcerpts;
    readonly recalled: RecalledBeside | undefined;
  },
): WorkingContext {
  const context = new WorkingContext(request.history, request.overhead, false);
  const omit = (start: number, end: number): void => {
    const messageCount = request.history.visibleCount(start, end);
    if (messageCount === 0) return;
    context.append({
      kind: "omitted",
      covers: { start: messageId(start), end: messageId(end) },
      messageCount,
      tokens: 0,
    });
  };
  let at = 0;
  for (const entry of [...sent.values()].sort((one, other) => one.id - other.id)) {
    omit(at, entry.id);
    const beside = entry.id === recalled?.question.id ? recalled.segmentIn(context) : undefined;
    if (beside !== undefined) context.append(beside);
    context.append(segmentOf(entry, excerpts, request.costs));
    at = entry.id + 1;
  }
  return context;
}

function visibleBetween(history: FullHistory, start: number, end: number): readonly HistoryEntry[] {
  return history.entries.slice(start, end).filter((entry) => history.isVisible(entry));
}
