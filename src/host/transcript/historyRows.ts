/** Rows of messages, read from the store, with the markers and notices after them. */

import type { SummaryRow } from "../../protocol/summaryView.ts";
import { unverifiedIn } from "../../core/summary/facts/fabrication.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import { isToolResult } from "../../core/context/request/excerpts.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { SwitchPreview } from "../../core/context/request/switchPreview.ts";
import type { Conversation } from "../../core/conversation/conversation.ts";
import type { ModelRecord } from "../../core/history/records.ts";
import type { MessageId, ModelId } from "../../core/ids.ts";
import type { HistoryEntry } from "../../core/message.ts";
import type { Clock } from "../../core/clock.ts";
import { ok, type Result } from "../../core/result.ts";
import type { Row } from "../../protocol/toView.ts";
import { countingFormula } from "../../core/tokens/countingFormula.ts";
import { continuedNotices } from "./machineNotices.ts";
import { modelNotice } from "./modelNotice.ts";
import { originNotices } from "../opening/originNotices.ts";
import { computeCurrentCut } from "../opening/switchToModel.ts";
import { placeInHistory } from "./placeInHistory.ts";
import { recalledViews } from "./recalledViews.ts";
import { hiddenRow, messageRow } from "./rows.ts";
import { sentView, summaryUse } from "./sentViews.ts";
import { summaryCause, summaryEffect, summaryMeta, summaryNumber } from "./summaryMeta.ts";
import { placesEndingAt, isStale, type SummaryPlace } from "./summaryVersions.ts";

export interface RowSource {
  readonly conversation: Pick<Conversation, "context" | "history" | "store">;
  readonly clock: Pick<Clock, "nowMs">;
  /** Effect of a model switch on what is sent, as long as nothing has changed since. */
  /** Speed and window of a model on the user's machine, as far as they are known now. */
  readonly localModelText: (model: ModelId) => string | undefined;
  readonly previewOf: (record: ModelRecord) => SwitchPreview | undefined;
}

/** The rows of consecutive messages, with what follows each. */
export async function rowsOf(
  source: RowSource,
  entries: readonly HistoryEntry[],
): Promise<Result<readonly Row[], StorageFailed>> {
  const { history, store } = source.conversation;
  const shown = entries.filter((entry) => history.isVisible(entry));
  const read = await store.readMessages(shown.map((entry) => entry.id));
  if (!read.ok) return read;
  const recalled = await recalledViews(shown, { history, store });
  if (!recalled.ok) return recalled;
  const { context } = source.conversation;
  if (!context.isCutBuilt) await computeCurrentCut(context);
  const summaryEnds = new Set<number>(history.summaries.map(({ covers }) => covers.end));
  const messages = new Map(read.value.map(({ entry, message }) => [entry.id, message]));
  const rows = entries.flatMap((entry, index): readonly Row[] => {
    const after = rowsAfter(source, entry.id, summaryEnds.has(entry.id + 1));
    const message = messages.get(entry.id);
    if (message === undefined) return isToolResult(entry) ? after : [hiddenRow(entry), ...after];
    if (isToolResult(entry)) return after;
    const next = entries[index + 1];
    const answers =
      next !== undefined && isToolResult(next) && next.batch === entry.id ? messages.get(next.id) : undefined;
    const results = answers === undefined ? {} : { results: answers };
    const place = placeInHistory(history, entry.id, source.localModelText);
    return [
      messageRow(entry, message, {
        sent: sentView(context, entry.id),
        ...place,
        ...results,
        recalled: recalled.value.get(entry.id),
      }),
      ...after,
    ];
  });
  return ok(rows);
}

/** Markers of the summaries that end with message `id`, and the notices after it. */
function rowsAfter({ conversation, previewOf }: RowSource, id: MessageId, endsSummary: boolean): readonly Row[] {
  const { history, context } = conversation;
  const markers = (endsSummary ? placesEndingAt(history, id + 1) : []).map((place) => summaryRow(place, context));
  const switches = history.modelChoices
    .filter(({ after }) => after === id)
    .map(({ record }) => modelNotice(record, previewOf(record)));
  return [...markers, ...originNotices(history, id), ...switches, ...continuedNotices(history, id)];
}

function summaryRow({ shown, versions, redo }: SummaryPlace, context: ContextManager): SummaryRow {
  const { history } = context;
  const { receipts } = history.spending;
  const { encoding } = countingFormula(context.model);
  const { covers } = shown;
  return {
    kind: "summary",
    rowId: `summary-${String(versions[0]?.id ?? shown.id)}`,
    summaryId: shown.id,
    number: summaryNumber(history, shown),
    firstMessage: covers.start,
    lastMessage: covers.end - 1,
    messageCount: covers.end - covers.start,
    tokensBefore: shown.originalTokens[encoding],
    tokensAfter: shown.tokenCount[encoding],
    factsKept: shown.factsKept,
    factsTotal: shown.factsTotal,
    state: shown.state === "active" ? "active" : "undone",
    isStale: isStale(history, shown),
    use: summaryUse(context, shown),
    unverifiedCount: unverifiedIn(shown.content).length,
    redoId: redo?.id ?? null,
    versionCount: versions.length,
    cause: summaryCause(shown, receipts),
    effect: summaryEffect(shown, receipts),
    meta: summaryMeta(shown, receipts),
  };
}
