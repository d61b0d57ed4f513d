/** A fork as a history of its own, made from the index alone: what the store's forks are compared with. */

import type { HistoryEntry } from "../../../src/core/message.ts";
import { messageId, summaryId, type MessageId, type SummaryId } from "../../../src/core/ids.ts";
import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../../src/core/cooperativeTask.ts";
import { branchesOf, withVisibilityRecords } from "../../../src/core/history/branches/branchReplay.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import { ORIGIN_SETTING, type Origin } from "../../../src/core/history/fork.ts";
import { GRANT_PREFIX, type ReceiptRecord, type UsageRecord } from "../../../src/core/history/records.ts";

/**
 * Copies `history` up to message `last` and its tool batch: messages, branches, visibility, pins, summaries, model,
 * title. Costs are marked `inOrigin`, as they were spent there. Tool grants are not copied.
 */
export function* forkedHistory(
  history: FullHistory,
  last: MessageId,
  origin: Origin,
  atMs: number,
): CooperativeTask<FullHistory> {
  const fork = new FullHistory();
  const { end } = history.atomOf(last);
  const entries = history.entries.slice(0, end);
  const entered = entries.map((entry) => ({ kind: "entry", entry }) as const);
  const replay = {
    branches: (yield* branchesOf(history)).filter(({ id }) => id < end),
    isHidden: (entry: HistoryEntry) => !history.isVisible(entry),
    atMs,
  };
  const slice = new Slice(MESSAGES_PER_SLICE);
  for (const record of yield* withVisibilityRecords(entered, replay)) {
    if (slice.isOver(1)) yield;
    fork.apply(record);
  }
  const summaries = history.summaries.filter(({ covers }) => covers.end <= end);
  for (const [index, summary] of summaries.entries()) {
    if (slice.isOver(1)) yield;
    fork.apply({ kind: "summary", summary: { ...summary, id: summaryId(index) } });
  }
  const ids = new Map(summaries.map(({ id }, index) => [id, summaryId(index)]));
  for (const record of paidInOrigin(history, end, ids)) {
    if (slice.isOver(1)) yield;
    fork.apply(record);
  }
  for (const id of history.pins) if (id < end) fork.apply({ kind: "pin", id, pinned: true, atMs });
  for (const [name, value] of history.settings) {
    if (name.startsWith(GRANT_PREFIX) || name === ORIGIN_SETTING) continue;
    fork.apply({ kind: "setting", name, value, atMs });
  }
  fork.apply({ kind: "setting", name: ORIGIN_SETTING, value: JSON.stringify(origin), atMs });
  if (history.model !== undefined) fork.apply(history.model);
  if (history.title !== undefined) fork.apply(history.title);
  return fork;
}

/** Usage of messages before `end` and receipts of the summaries in `ids`, which maps old ids to new ones. */
function paidInOrigin(
  { spending }: FullHistory,
  end: number,
  ids: ReadonlyMap<SummaryId, SummaryId>,
): readonly (UsageRecord | ReceiptRecord)[] {
  const usage = spending.records.filter(({ message }) => message < end);
  return [
    ...usage.map((record) => ({ ...record, inOrigin: true }) as const),
    ...spending.receipts.flatMap((receipt) => {
      const summaries = receipt.summaries.flatMap((id) => ids.get(id) ?? []);
      if (summaries.length === 0) return [];
      const span = { start: receipt.span.start, end: messageId(Math.min(receipt.span.end, end)) };
      const { notesLater, strategies } = receipt;
      const kept = receipt.summaries.map((id) => ids.has(id));
      const own = strategies === undefined ? {} : { strategies: strategies.filter((_, at) => kept[at]) };
      const later = notesLater === undefined ? {} : { notesLater: notesLater.flatMap((id) => ids.get(id) ?? []) };
      return [{ kind: "receipt", receipt: { ...receipt, summaries, ...own, span, ...later, inOrigin: true } } as const];
    }),
  ];
}
