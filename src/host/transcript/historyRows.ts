/** What was said as rows, read from the store where it is shown, with the markers and notices that stand behind it. */

import { isToolResult } from "../../core/context/request/excerpts.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { Summary } from "../../core/history/summary.ts";
import type { MessageId } from "../../core/ids.ts";
import type { HistoryEntry } from "../../core/message.ts";
import type { Clock } from "../../core/clock.ts";
import type { ConversationStore } from "../../core/store/conversationStore.ts";
import { ok, type Result } from "../../core/result.ts";
import type { NoticeRow, Row } from "../../protocol/toView.ts";
import { placeInHistory } from "./placeInHistory.ts";
import { hiddenRow, messageRow } from "./rows.ts";
import { summaryRow } from "./summaryRow.ts";
import { placesEndingAt } from "./summaryVersions.ts";

/** What a transcript is made from. */
export interface TranscriptSource {
  readonly history: FullHistory;
  readonly store: ConversationStore;
  readonly clock: Clock;
  /** In which encoding the model in use counts. */
  readonly encoding: () => "cl100k" | "o200k";
  /** "gpt-6-luna · $0.004 · 2.8 s" for a summary. */
  readonly summaryMeta: (summary: Summary) => string;
  /** Notices that stand behind a message, such as a model switch. */
  readonly noticesBehind: (id: MessageId) => readonly NoticeRow[];
}

/** The rows of messages that follow each other, with what stands behind them. */
export async function rowsOf(
  source: TranscriptSource,
  entries: readonly HistoryEntry[],
): Promise<Result<readonly Row[], StorageFailed>> {
  const { history, store, clock } = source;
  const shown = entries.filter((entry) => history.isVisible(entry));
  const read = await store.readMessages(shown.map((entry) => entry.id));
  if (!read.ok) return read;
  const nowMs = clock.nowMs();
  const covering = history.usableSummaries();
  const messages = new Map(read.value.map(({ entry, message }) => [entry.id, message]));
  const rows = entries.flatMap((entry, index): readonly Row[] => {
    const behind = rowsBehind(source, entry.id);
    const message = messages.get(entry.id);
    if (message === undefined) return isToolResult(entry) ? behind : [hiddenRow(entry), ...behind];
    if (isToolResult(entry)) return behind;
    const summarized = covering.some(({ summary: { covers } }) => covers.start <= entry.id && entry.id < covers.end);
    const next = entries[index + 1];
    const answers =
      next !== undefined && isToolResult(next) && next.batch === entry.id ? messages.get(next.id) : undefined;
    const results = answers === undefined ? {} : { results: answers };
    const place = placeInHistory(history, entry.id);
    return [messageRow(entry, message, { summarized, nowMs, ...place, ...results }), ...behind];
  });
  return ok(rows);
}

/** Markers of the summaries that end behind a message, and the notices that stand there. */
function rowsBehind(
  { history, encoding, summaryMeta, noticesBehind }: TranscriptSource,
  id: MessageId,
): readonly Row[] {
  const markers = placesEndingAt(history, id + 1).map((place) =>
    summaryRow(place, history, { encoding: encoding(), meta: summaryMeta(place.shown) }),
  );
  return [...markers, ...noticesBehind(id)];
}
