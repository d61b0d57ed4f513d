/**
 * The rows of the open conversation: its newest ones in memory, older ones read page by page. It keeps what the view
 * shows, so that a view that comes back gets the same, and tells the view of each change.
 */

import type { MessageRange } from "../../core/history/summary.ts";
import { takenOut } from "../../core/history/takenOut.ts";
import type { MessageId } from "../../core/ids.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { ok, type Result } from "../../core/result.ts";
import type { ToolCallCard } from "../../protocol/toolCallView.ts";
import type { ReadingPlace } from "../../protocol/readingPlace.ts";
import type { Row, ToViewBody } from "../../protocol/toView.ts";
import { HistoryPages, MOST_LOOKED_AT, type Page } from "./historyPages.ts";
import { rowsOf, type TranscriptSource } from "./historyRows.ts";
import { ThinkingTime } from "./thinkingTime.ts";
import { touchedBySummaries } from "./summaryVersions.ts";

/** Rows kept in memory while the conversation is idle. */
const KEPT_ROWS = 200;

/** Rows of what was said, and markers. */
const OF_HISTORY = /^(?:message-|hidden-|summary-)/;
/** Notices that the history makes, and that may stand behind others. */
const NOTED_IN_HISTORY = /^notice-(?:model-|origin$)/;

/** The rows that are shown, and how they change. */
export class Transcript {
  readonly #source: TranscriptSource;
  readonly #pages: HistoryPages;
  readonly #emit: (body: ToViewBody) => void;
  readonly #thinking = new ThinkingTime();
  #rows: Row[] = [];
  #hasOlder = false;
  /** An answer is being given: the one that it takes the place of is no gap. */
  isAnswering = false;
  /** Where the reader is, in a page that may be destroyed; null: with the newest message. */
  reading: ReadingPlace | null = null;

  constructor(source: TranscriptSource, emit: (body: ToViewBody) => void) {
    this.#source = source;
    this.#pages = new HistoryPages(source);
    this.#emit = emit;
  }

  /** Hidden messages stand behind all that is shown. */
  get endsHidden(): boolean {
    const [message, hidden] = ["message", "hidden"].map((kind) => this.#rows.findLastIndex((row) => row.kind === kind));
    return (message ?? -1) < (hidden ?? -1);
  }

  /** Something stands behind the last message that is shown: hidden ones, or what is not in the history. */
  get hasBehind(): boolean {
    const last = this.#rows.findLast(({ rowId }) => !NOTED_IN_HISTORY.test(rowId));
    return last !== undefined && !/^(?:message|summary)-/.test(last.rowId);
  }

  /** The newest rows, oldest first. */
  get page(): Page {
    return { rows: this.#rows, hasOlder: this.#hasOlder };
  }

  /** Reads the newest rows from the store; `behind` are the rows that are not in the history, such as interrupted answers. */
  async load(behind: readonly Row[] = []): Promise<Result<void, StorageFailed>> {
    const page = await this.#newestPage(behind);
    if (page.ok) this.#show(page.value, behind);
    return page.ok ? ok(undefined) : page;
  }

  /** Reads the newest rows anew; what stands behind the history stays, as it is when that is read. */
  async reload(): Promise<Result<void, StorageFailed>> {
    const { history } = this.#source;
    for (;;) {
      const { revision } = history;
      const page = await this.#newestPage(this.#behindHistory());
      if (!page.ok) return page;
      if (revision !== history.revision) continue; // an answer has ended meanwhile, or a message has come
      this.#show(page.value, this.#behindHistory());
      return ok(undefined);
    }
  }

  /** The page above the row `before`; empty when there is no such row or nothing above it. */
  older(before: string): Promise<Result<Page, StorageFailed>> {
    return this.#pages.above(before);
  }

  /** Adds rows at the end. */
  add(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.#rows.push(...rows);
    if (rows.some((row) => row.kind === "message" && row.role === "user")) this.reading = null; // they said it
    this.#emit({ kind: "rowsAdded", rows });
  }

  /** Puts `row` in the place of `rowId`; at the end when there is no such row. */
  change(rowId: string, row: Row): void {
    const at = this.#rows.findIndex((candidate) => candidate.rowId === rowId);
    if (at < 0) {
      this.add([row]);
      return;
    }
    this.#rows[at] = row;
    this.#emit({ kind: "rowChanged", rowId, row });
  }

  /** Draws message `id` anew, under `rowId`, from what the history says of it now: hidden, shown again, pinned. */
  async redraw(id: MessageId, rowId = `message-${String(id)}`): Promise<Result<void, StorageFailed>> {
    const { history } = this.#source;
    const { start, end } = history.atomOf(id);
    const rows = await rowsOf(this.#source, history.entries.slice(start, end));
    if (!rows.ok) return rows;
    const row = rows.value.find(({ kind }) => kind === "message" || kind === "hidden");
    if (row === undefined) return ok(undefined);
    const at = this.#rows.findIndex((candidate) => candidate.rowId === rowId);
    if (at >= 0) this.#rows[at] = row;
    this.#emit({ kind: "rowChanged", rowId, row }); // the view may have older rows than are kept here
    return ok(undefined);
  }

  /**
   * Message `id` is not as it was: so is what is said of the summaries that it is in, and of their other messages. Answers
   * whether other markers stand there than before, which is seen only when all is shown anew.
   */
  async redrawSummariesOf(id: MessageId): Promise<Result<boolean, StorageFailed>> {
    const { history } = this.#source;
    const atom = history.atomOf(id);
    const { start, end } = touchedBySummaries(history, atom);
    if (start === atom.start && end === atom.end) return ok(false);
    const hidden = takenOut(history, start);
    const entries = history.entries.slice(Math.max(start, end - MOST_LOOKED_AT), end);
    const rows = await rowsOf(
      this.#source,
      entries.filter((entry) => history.isVisible(entry) || hidden.has(entry.id)),
    );
    if (!rows.ok) return rows;
    const isOther = this.#markersIn(this.#rows, { start, end }) !== this.#markersIn(rows.value, { start, end });
    for (const row of rows.value) {
      if (row.kind === "notice") continue;
      const at = this.#rows.findIndex(({ rowId }) => rowId === row.rowId);
      if (at >= 0) this.#rows[at] = row;
      this.#emit({ kind: "rowChanged", rowId: row.rowId, row });
    }
    return ok(isOther);
  }

  /** Takes a row away. */
  remove(rowId: string): void {
    const at = this.#rows.findIndex((candidate) => candidate.rowId === rowId);
    if (at < 0) return;
    this.#rows.splice(at, 1);
    this.#emit({ kind: "rowRemoved", rowId });
  }

  /** Puts a call into an answer's row, in the place of the one with its id if there is one. */
  call(rowId: string, call: ToolCallCard): void {
    const at = this.#rows.findLastIndex((candidate) => candidate.rowId === rowId);
    const row = this.#rows[at];
    if (row?.kind !== "message") return;
    const place = row.calls.findIndex(({ callId }) => callId === call.callId);
    this.#rows[at] = { ...row, calls: place < 0 ? [...row.calls, call] : row.calls.with(place, call) };
    this.#emit({ kind: "call", rowId, call });
  }

  /** Adds durable text to a streaming row. */
  delta(rowId: string, part: "text" | "thinking", text: string): void {
    const at = this.#rows.findLastIndex((candidate) => candidate.rowId === rowId);
    const row = this.#rows[at];
    if (row?.kind !== "message") return;
    const thinkingMs = row.thinkingMs ?? this.#thinking.msAt(row, part, this.#source.clock.nowMs());
    const changed = { ...row, stateText: "", thinkingMs };
    if (row.stateText !== "" || row.thinkingMs !== thinkingMs) this.change(rowId, changed);
    this.#rows[at] =
      part === "text" ? { ...changed, text: row.text + text } : { ...changed, thinking: row.thinking + text };
    this.#emit({ kind: "delta", rowId, part, text });
  }

  /** Says something about a streaming row, until its next text. */
  note(rowId: string, stateText: string): void {
    const row = this.#rows.findLast((candidate) => candidate.rowId === rowId);
    if (row?.kind === "message") this.change(rowId, { ...row, stateText });
  }

  /** Lets go of the oldest rows in memory when they have become many. */
  trim(): void {
    if (this.#rows.length <= KEPT_ROWS) return;
    const kept = this.#rows.slice(-KEPT_ROWS / 2);
    // What is above is asked for by a message: a notice says nothing of where it stands.
    this.#rows = kept.slice(kept.findIndex(({ rowId }) => rowId.startsWith("message-")));
    this.#hasOlder = true;
  }

  #newestPage(behind: readonly Row[]): Promise<Result<Page, StorageFailed>> {
    const isAnswering = this.isAnswering || behind.some(({ kind }) => kind === "message");
    return this.#pages.newest(isAnswering);
  }

  #behindHistory(): readonly Row[] {
    const last = this.#rows.findLastIndex(({ rowId }) => OF_HISTORY.test(rowId));
    return this.#rows.slice(last + 1).filter(({ rowId }) => !NOTED_IN_HISTORY.test(rowId));
  }

  #show({ rows, hasOlder }: Page, behind: readonly Row[]): void {
    this.#rows = [...rows, ...behind];
    this.#hasOlder = hasOlder;
  }

  /** Which markers stand in a stretch, as far as its rows are kept here. */
  #markersIn(rows: readonly Row[], { start, end }: MessageRange): string {
    const { summaries } = this.#source.history;
    const oldest = this.#rows.find(({ kind }) => kind === "message" || kind === "hidden");
    const from = Math.max(start, oldest !== undefined && "messageId" in oldest ? Number(oldest.messageId) || 0 : 0);
    const markers = rows.filter((row) => {
      const last = row.kind === "summary" ? summaries[row.summaryId]?.covers.end : undefined;
      return last !== undefined && from < last && last <= end;
    });
    return markers.map(({ rowId }) => rowId).join(" ");
  }
}
