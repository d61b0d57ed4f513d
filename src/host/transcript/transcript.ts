/**
 * The rows of the open conversation: the newest in memory, older ones read page by page. Holds what the webview shows,
 * so that a recreated page gets the same, and posts each change. `afterChange` is the one place that maps records to
 * rows.
 */

import { isToolResult } from "../../core/context/request/excerpts.ts";
import type { Change, ConversationEffect } from "../../core/conversation/conversation.ts";
import { isUserChoice } from "../../core/history/modelChoice.ts";
import type { ConversationRecord, MessageRecord, ModelRecord } from "../../core/history/records.ts";
import { isFromElsewhere } from "../../core/history/writtenElsewhere.ts";
import type { MessageRange } from "../../core/history/summaries/summary.ts";
import { HiddenTurns } from "../../core/history/branches/hiddenTurns.ts";
import { messageId, parseStepId, summaryId, type MessageId } from "../../core/ids.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { assertNever, ok, type Result } from "../../core/result.ts";
import type { ToolCallCard } from "../../protocol/toolCallView.ts";
import type { ScrollAnchor } from "../../protocol/scrollAnchor.ts";
import type { MessageRow, RecalledView, Row, SentView, ToViewBody } from "../../protocol/toView.ts";
import type { SummaryRow } from "../../protocol/summaryView.ts";
import { countingFormula } from "../../core/tokens/countingFormula.ts";
import { computeCurrentCut } from "../opening/switchToModel.ts";
import { explain } from "../words/explain.ts";
import type { Banner } from "../../protocol/toView.ts";
import { HistoryPages, MAX_HIDDEN_LOOKBACK, type Page } from "./historyPages.ts";
import { rowsOf, type RowSource } from "./historyRows.ts";
import { isContinuedNotice, VERSION_ROW } from "./machineNotices.ts";
import { modelNotice } from "./modelNotice.ts";
import { placeInHistory } from "./placeInHistory.ts";
import { recalledViews } from "./recalledViews.ts";
import { messageRow } from "./rows.ts";
import { sentView, summaryUse } from "./sentViews.ts";
import { ThinkingTime } from "./thinkingTime.ts";
import { withOverlappingSummaries } from "./summaryVersions.ts";

/** Rows in memory while the conversation is idle. */
const MAX_ROWS = 200;

/** Rows of messages and summaries. */
const HISTORY_ROW_ID = /^(?:message-|hidden-|summary-)/;
/** Notices made from records; they may follow other rows. */
const HISTORY_NOTICE_ID = /^notice-(?:model-|machine-|origin$)/;
/** Records of other machines are drawn together: their messages may be of any place, and the reader did not send them. */
const DRAWN: ReadonlySet<ConversationRecord["kind"]> = new Set([
  "message",
  "visibility",
  "summary",
  "summaryState",
  "pin",
  "leftOut",
  "model",
]);
/** The notice that the last message has no answer, or why. */
const FAILED_ROW = "notice-failed";

export interface TranscriptView {
  post(body: ToViewBody): void;
  /** Sends every page a full snapshot. */
  refresh(): void;
  /** The banner is shown as long as `isTrue`. */
  showBanner(banner: Banner | null, isTrue?: () => boolean): void;
}

/**
 * Rows after the history: interrupted answers to be decided, a notice that the last message has no answer, or that there
 * is a version that nobody has seen.
 */
export interface PendingRows {
  rows(): readonly Row[];
}

export class Transcript implements ConversationEffect {
  readonly #source: RowSource;
  readonly #pending: PendingRows;
  readonly #view: TranscriptView;
  readonly #pages: HistoryPages;
  readonly #thinking = new ThinkingTime();
  #rows: Row[] = [];
  #hasOlder = false;
  /** Encoding in which the figures of the rows were counted. */
  #drawnEncoding = "";
  /** The forms told to the views of the rows that they have, also of older ones than `#rows`. */
  readonly #drawnSent = new Map<MessageId, SentView>();
  readonly #drawnMarkers = new Map<string, SummaryRow>();
  /** While true, the answer that is being replaced is not shown as hidden. */
  isAnswering = false;
  /** The reader's scroll position, since the editor may destroy the page; null: at the newest message. */
  scrollAnchor: ScrollAnchor | null = null;

  constructor(source: RowSource, pending: PendingRows, view: TranscriptView) {
    this.#source = source;
    this.#pending = pending;
    this.#view = view;
    this.#pages = new HistoryPages(source);
  }

  /** Whether hidden messages follow the last visible one. */
  get endsHidden(): boolean {
    const [message, hidden] = ["message", "hidden"].map((kind) => this.#rows.findLastIndex((row) => row.kind === kind));
    return (message ?? -1) < (hidden ?? -1);
  }

  /** Encoding of the model in use. */
  get #encoding(): string {
    return countingFormula(this.#source.conversation.context.model).encoding;
  }

  /** Whether hidden messages, or rows that are not in the history, follow the last visible message. */
  get #hasRowsAfterHistory(): boolean {
    const last = this.#rows.findLast(({ rowId }) => !HISTORY_NOTICE_ID.test(rowId));
    return last !== undefined && !/^(?:message|summary)-/.test(last.rowId);
  }

  /** The newest rows, oldest first. */
  get page(): Page {
    return { rows: this.#rows, hasOlder: this.#hasOlder };
  }

  /** Reads the newest rows from the store, and the pending ones. */
  async load(): Promise<Result<void, StorageFailed>> {
    const pending = this.#pending.rows();
    const page = await this.#newestPage(pending);
    if (page.ok) this.#show(page.value, pending);
    return page.ok ? ok(undefined) : page;
  }

  async afterChange({ records }: Change): Promise<void> {
    const shown = await this.#showChange(records);
    if (!shown.ok) this.#view.showBanner(explain(shown.error, ""));
    this.#showModelEffects();
    await this.#showSent();
  }

  /** After a change of model, key or settings: redraws what depends on them. */
  async afterConnection(): Promise<void> {
    const failed = this.#pending.rows().find(({ rowId }) => rowId === FAILED_ROW);
    if (failed !== undefined && this.#rows.some((row) => row.rowId === FAILED_ROW && row !== failed))
      this.change(FAILED_ROW, failed);
    this.#showModelEffects();
    const hasFigures = this.#rows.some(({ kind }) => kind === "summary");
    if (hasFigures && this.#encoding !== this.#drawnEncoding) {
      const shown = await this.rebuild();
      if (!shown.ok) this.#view.showBanner(explain(shown.error, ""));
    }
    await this.#showSent();
  }

  /** Reads the newest rows again and sends them to every page. */
  async rebuild(): Promise<Result<void, StorageFailed>> {
    return this.#rebuild(() => this.#rowsAfterHistory());
  }

  /** Updates the rows after the history. */
  showPending(): void {
    const pending = this.#pending.rows();
    const isVersionAlone = pending.every(({ rowId }) => rowId === VERSION_ROW);
    if (isVersionAlone) this.remove(FAILED_ROW);
    if (pending.every(({ rowId }) => rowId !== VERSION_ROW)) this.remove(VERSION_ROW);
    this.add(pending.filter(({ rowId }) => this.#rows.every((row) => row.rowId !== rowId)));
  }

  async older(before: string): Promise<Result<Page, StorageFailed>> {
    const page = await this.#pages.above(before);
    if (page.ok) this.#noteDrawn(page.value.rows);
    return page;
  }

  add(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.#rows.push(...rows);
    this.#noteDrawn(rows);
    if (rows.some((row) => row.kind === "message" && row.role === "user")) this.scrollAnchor = null; // the reader sent it
    this.#view.post({ kind: "rowsAdded", rows });
  }

  /** Replaces row `rowId`; appends `row` when there is none. */
  change(rowId: string, row: Row): void {
    const at = this.#rows.findIndex((candidate) => candidate.rowId === rowId);
    if (at < 0) {
      this.add([row]);
      return;
    }
    this.#rows[at] = row;
    this.#noteDrawn([row]);
    this.#view.post({ kind: "rowChanged", rowId, row });
  }

  remove(rowId: string): void {
    const at = this.#rows.findIndex((candidate) => candidate.rowId === rowId);
    if (at < 0) return;
    this.#rows.splice(at, 1);
    this.#view.post({ kind: "rowRemoved", rowId });
  }

  /** Adds a call to the row of an answer, or replaces the one with its id. */
  call(rowId: string, call: ToolCallCard): void {
    const at = this.#rows.findLastIndex((candidate) => candidate.rowId === rowId);
    const row = this.#rows[at];
    if (row?.kind !== "message") return;
    const place = row.calls.findIndex(({ callId }) => callId === call.callId);
    if (row.stateText !== "") this.change(rowId, withoutWait(row));
    this.#rows[at] = { ...withoutWait(row), calls: place < 0 ? [...row.calls, call] : row.calls.with(place, call) };
    this.#view.post({ kind: "call", rowId, call });
  }

  /** Appends durable text to a streaming row. */
  delta(rowId: string, part: "text" | "thinking", text: string): void {
    const at = this.#rows.findLastIndex((candidate) => candidate.rowId === rowId);
    const row = this.#rows[at];
    if (row?.kind !== "message") return;
    const thinkingMs = row.thinkingMs ?? this.#thinking.msAt(row, part, this.#source.clock.nowMs());
    const changed = { ...withoutWait(row), thinkingMs };
    if (row.stateText !== "" || row.thinkingMs !== thinkingMs) this.change(rowId, changed);
    this.#rows[at] =
      part === "text" ? { ...changed, text: row.text + text } : { ...changed, thinking: row.thinking + text };
    this.#view.post({ kind: "delta", rowId, part, text });
  }

  /** Shows what a streaming row waits for, until its next text. `retryAtMs`: when the service is asked again. */
  setWait(rowId: string, stateText: string, retryAtMs?: number): void {
    const row = this.#rows.findLast((candidate) => candidate.rowId === rowId);
    if (row?.kind !== "message" || (row.stateText === stateText && retryAtMs === undefined)) return;
    this.change(rowId, { ...withoutWait(row), stateText, ...(retryAtMs === undefined ? {} : { retryAtMs }) });
  }

  /** The notice of a model switch tells its effect as long as that is the state of things. */
  #showModelEffects(): void {
    const { conversation, previewOf } = this.#source;
    for (const { record } of conversation.history.modelChoices) {
      const notice = modelNotice(record, previewOf(record));
      const shown = this.#rows.find(({ rowId }) => rowId === notice.rowId);
      if (shown?.kind === "notice" && shown.text !== notice.text) this.change(notice.rowId, notice);
    }
  }

  /** Evicts the oldest rows from memory above the limit. */
  trim(): void {
    if (this.#rows.length <= MAX_ROWS) return;
    const kept = this.#rows.slice(-MAX_ROWS / 2);
    // Older rows are requested relative to a message row: a notice has no position in the history.
    this.#rows = kept.slice(
      kept.findIndex((row) => row.kind === "message" && row.rowId.startsWith("message-") && row.continues === null),
    );
    this.#hasOlder = true;
  }

  async #showChange(records: readonly ConversationRecord[]): Promise<Result<void, StorageFailed>> {
    const kinds = new Set(records.map(({ kind }) => kind));
    const isPlaced = isFromElsewhere(records) && records.some(({ kind }) => DRAWN.has(kind));
    if (isPlaced || (kinds.has("visibility") && (records.length > 1 || this.isAnswering))) {
      return this.#rebuild(() => [
        ...this.#rowsAfterHistory().filter((row) => !isPending(row)),
        ...this.#pending.rows(),
      ]);
    }
    if (kinds.has("summary") || kinds.has("summaryState") || kinds.has("erasure")) return this.rebuild();
    for (const record of records) {
      const shown = await this.#showRecord(record, records);
      if (!shown.ok) return shown;
    }
    return ok(undefined);
  }

  async #showRecord(
    record: ConversationRecord,
    records: readonly ConversationRecord[],
  ): Promise<Result<void, StorageFailed>> {
    switch (record.kind) {
      case "message":
        return this.#showMessage(record, records);
      case "visibility":
        return this.#showVisibility(record.range, record.hidden);
      case "pin":
        return this.#redraw(record.id);
      case "leftOut": {
        if (this.#isRecalled({ start: record.id, end: messageId(record.id + 1) })) return this.rebuild();
        const redrawn = await this.#redraw(record.id);
        return redrawn.ok ? this.#showSummariesOf(record.id) : redrawn;
      }
      case "model":
        return this.#showModel(record);
      case "summary":
      case "summaryState":
      case "erasure":
        return ok(undefined); // markers and messages change together: rebuilt in `#showChange`
      case "receipt":
      case "usage":
      case "title":
      case "setting":
      case "project":
      case "segment":
        return ok(undefined);
      default:
        assertNever(record);
    }
  }

  /** Appends a question; an answer replaces the row into which it was streamed. */
  async #showMessage(
    record: MessageRecord,
    records: readonly ConversationRecord[],
  ): Promise<Result<void, StorageFailed>> {
    const { entry } = record;
    if (isToolResult(entry)) return ok(undefined); // shown with its call
    const recalled = await recalledViews([entry], this.#source.conversation);
    if (!recalled.ok) return recalled;
    const row = this.#rowOf(record, records, recalled.value.get(entry.id));
    const isShown = this.#rows.some(({ rowId }) => rowId === row.rowId); // a rebuild has read it already
    if (entry.role !== "user") {
      const openBatch = this.#rows.find((each) => each.kind === "message" && each.pendingRecovery === "tools");
      const streamedAs = entry.step ?? openBatch?.rowId ?? row.rowId;
      if (isShown) this.remove(streamedAs);
      this.change(isShown ? row.rowId : streamedAs, row);
      return ok(undefined);
    }
    this.remove(FAILED_ROW);
    if (this.endsHidden) return this.rebuild();
    if (!isShown) this.add([row]);
    return ok(undefined);
  }

  #rowOf(
    { entry, message }: MessageRecord,
    records: readonly ConversationRecord[],
    recalled: readonly RecalledView[] | undefined,
  ): MessageRow {
    const { conversation, localModelText } = this.#source;
    const results = records.find(
      (record): record is MessageRecord =>
        record.kind === "message" && record.entry.batch === entry.id && isToolResult(record.entry),
    );
    return messageRow(entry, message, {
      sent: sentView(conversation.context, entry.id),
      ...placeInHistory(conversation.history, entry.id, localModelText),
      ...(results === undefined ? {} : { results: results.message }),
      recalled,
    });
  }

  /** Redraws a message that was hidden or shown again, and the summaries that cover it. */
  async #showVisibility({ start, end }: MessageRange, hidden: boolean): Promise<Result<void, StorageFailed>> {
    const atom = this.#source.conversation.history.atomOf(start);
    if (atom.start !== start || atom.end !== end || this.#isRecalled(atom) || this.#rows.some(isContinuedNotice))
      return this.rebuild();
    const redrawn = await this.#redraw(start, `${hidden ? "message" : "hidden"}-${String(start)}`);
    if (!redrawn.ok) return redrawn;
    this.showPending();
    // A pending answer will be a version of others.
    if (this.#pending.rows().some(({ kind }) => kind === "message")) return this.rebuild();
    return this.#showSummariesOf(start);
  }

  /** True if a row in memory shows passages of these messages; other rows are read anew when they are shown. */
  #isRecalled({ start, end }: MessageRange): boolean {
    const { history } = this.#source.conversation;
    return this.#rows.some((row) => {
      if (row.kind !== "message" || row.role !== "user" || !row.rowId.startsWith("message-")) return false;
      const { recalled = [] } = history.entry(messageId(Number(row.messageId)));
      return recalled.some(({ id }) => start <= id && id < end);
    });
  }

  async #showSummariesOf(id: MessageId): Promise<Result<void, StorageFailed>> {
    const isOther = await this.#redrawSummariesOf(id);
    if (!isOther.ok) return isOther;
    return isOther.value ? this.rebuild() : ok(undefined);
  }

  async #showModel(record: ModelRecord): Promise<Result<void, StorageFailed>> {
    if (!isUserChoice(record) || this.#rows.length === 0) return ok(undefined);
    if (this.#hasRowsAfterHistory) return this.rebuild();
    this.add([modelNotice(record, this.#source.previewOf(record))]);
    return ok(undefined);
  }

  /** Redraws message `id` from the history in the place of row `rowId`. */
  async #redraw(id: MessageId, rowId = `message-${String(id)}`): Promise<Result<void, StorageFailed>> {
    const { history } = this.#source.conversation;
    const { start, end } = history.atomOf(id);
    const rows = await rowsOf(this.#source, history.entries.slice(start, end));
    if (!rows.ok) return rows;
    const row = rows.value.find(({ kind }) => kind === "message" || kind === "hidden");
    if (row === undefined) return ok(undefined);
    const at = this.#rows.findIndex((candidate) => candidate.rowId === rowId);
    if (at >= 0) this.#rows[at] = row;
    this.#noteDrawn([row]);
    this.#view.post({ kind: "rowChanged", rowId, row }); // the view may have older rows than memory
    return ok(undefined);
  }

  /** Redraws the messages of all summaries that cover message `id`; true: the markers differ, so rebuild. */
  async #redrawSummariesOf(id: MessageId): Promise<Result<boolean, StorageFailed>> {
    const { history } = this.#source.conversation;
    const atom = history.atomOf(id);
    const { start, end } = withOverlappingSummaries(history, atom);
    if (start === atom.start && end === atom.end) return ok(false);
    const hidden = new HiddenTurns(history).from(start);
    const entries = history.entries.slice(Math.max(start, end - MAX_HIDDEN_LOOKBACK), end);
    const rows = await rowsOf(
      this.#source,
      entries.filter((entry) => history.isVisible(entry) || hidden.has(entry.id)),
    );
    if (!rows.ok) return rows;
    const isOther = this.#markersIn(this.#rows, { start, end }) !== this.#markersIn(rows.value, { start, end });
    this.#noteDrawn(rows.value);
    for (const row of rows.value) {
      if (row.kind === "notice") continue;
      const at = this.#rows.findIndex(({ rowId }) => rowId === row.rowId);
      if (at >= 0) this.#rows[at] = row;
      this.#view.post({ kind: "rowChanged", rowId: row.rowId, row });
    }
    return ok(isOther);
  }

  /** Reads the newest rows again; `after` supplies the rows after the history, anew once they are read. */
  async #rebuild(after: () => readonly Row[]): Promise<Result<void, StorageFailed>> {
    const { history } = this.#source.conversation;
    for (;;) {
      const { revision } = history;
      const page = await this.#newestPage(after());
      if (!page.ok) return page;
      if (revision !== history.revision) continue; // the history changed meanwhile
      this.#show(page.value, after());
      this.#view.refresh();
      return ok(undefined);
    }
  }

  #newestPage(after: readonly Row[]): Promise<Result<Page, StorageFailed>> {
    const isAnswering = this.isAnswering || after.some(({ kind }) => kind === "message");
    return this.#pages.newest(isAnswering);
  }

  #rowsAfterHistory(): readonly Row[] {
    const { history } = this.#source.conversation;
    const last = this.#rows.findLastIndex(({ rowId }) => HISTORY_ROW_ID.test(rowId));
    return this.#rows.slice(last + 1).filter(({ rowId }) => {
      const step = parseStepId(rowId);
      return !HISTORY_NOTICE_ID.test(rowId) && (step === undefined || !history.hasStep(step));
    });
  }

  #show({ rows, hasOlder }: Page, after: readonly Row[]): void {
    this.#rows = [...rows, ...after];
    this.#drawnSent.clear();
    this.#drawnMarkers.clear();
    this.#noteDrawn(this.#rows);
    this.#drawnEncoding = this.#encoding;
    this.#hasOlder = hasOlder;
  }

  #noteDrawn(rows: readonly Row[]): void {
    for (const row of rows) {
      if (row.kind === "summary") this.#drawnMarkers.set(row.rowId, row);
      else if (row.kind === "message" && row.rowId === `message-${row.messageId}`)
        this.#drawnSent.set(messageId(Number(row.messageId)), row.sent);
    }
  }

  /** Redraws what is sent in another way than the rows of the views say, as after a switch of the model. */
  async #showSent(): Promise<void> {
    const { context } = this.#source.conversation;
    if (!context.isCutBuilt) await computeCurrentCut(context);
    const changed = new Map<string, SentView>();
    for (const [id, drawn] of this.#drawnSent) {
      const sent = sentView(context, id);
      if (sent === drawn) continue;
      this.#drawnSent.set(id, sent);
      changed.set(`message-${String(id)}`, sent);
    }
    if (changed.size > 0) {
      this.#rows = this.#rows.map((row) => {
        const sent = changed.get(row.rowId);
        return sent === undefined || row.kind !== "message" ? row : { ...row, sent };
      });
      this.#view.post({ kind: "rowsSent", rows: [...changed].map(([rowId, sent]) => ({ rowId, sent })) });
    }
    for (const [rowId, row] of this.#drawnMarkers) {
      const use = summaryUse(context, context.history.summary(summaryId(row.summaryId)));
      if (use === row.use) continue;
      const other = { ...row, use };
      this.#rows = this.#rows.map((each) => (each.rowId === rowId ? other : each));
      this.#noteDrawn([other]);
      this.#view.post({ kind: "rowChanged", rowId, row: other });
    }
  }

  /** Row ids of the markers in a range of messages, as far as its rows are in memory. */
  #markersIn(rows: readonly Row[], { start, end }: MessageRange): string {
    const { summaries } = this.#source.conversation.history;
    const oldest = this.#rows.find(({ kind }) => kind === "message" || kind === "hidden");
    const from = Math.max(start, oldest !== undefined && "messageId" in oldest ? Number(oldest.messageId) || 0 : 0);
    const markers = rows.filter((row) => {
      const last = row.kind === "summary" ? summaries[row.summaryId]?.covers.end : undefined;
      return last !== undefined && from < last && last <= end;
    });
    return markers.map(({ rowId }) => rowId).join(" ");
  }
}

/** Whether a row is one of those that `PendingRows` supplies. */
function isPending(row: Row): boolean {
  return (
    row.rowId === FAILED_ROW || row.rowId === VERSION_ROW || (row.kind === "message" && row.pendingRecovery !== null)
  );
}

function withoutWait(row: MessageRow): MessageRow {
  const changed: { -readonly [Name in keyof MessageRow]: MessageRow[Name] } = { ...row, stateText: "" };
  delete changed.retryAtMs;
  return changed;
}
