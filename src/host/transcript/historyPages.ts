/** Rows of the history, read page by page. */

import { isToolResult } from "../../core/context/request/excerpts.ts";
import { HiddenTurns } from "../../core/history/branches/hiddenTurns.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { HistoryEntry } from "../../core/message.ts";
import { ok, type Result } from "../../core/result.ts";
import type { Row } from "../../protocol/toView.ts";
import { rowsOf, type RowSource } from "./historyRows.ts";

/** Rows per page: about twice what a tall view shows. */
const PAGE_ROWS = 40;
/** How many messages back hidden ones are looked up at once: more than any page has. */
export const MAX_HIDDEN_LOOKBACK = 2_000;
/** Most rows redrawn at once: they are posted within a few milliseconds. */
const MAX_REDRAWN_ROWS = 600;

/** A page of rows, oldest first. */
export interface Page {
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
}

interface ReadPage extends Page {
  /** The oldest message on it. */
  readonly start: MessageId;
}

export class HistoryPages {
  readonly #source: RowSource;
  /** The oldest message sent to a view: its reader may be there. */
  #oldestSentId = Infinity;
  /** Walked once while the history does not change, however many pages are read. */
  #hiddenTurns: HiddenTurns | undefined;

  constructor(source: RowSource) {
    this.#source = source;
  }

  /**
   * The newest page, preceded by the pages that a view has received: a reader there keeps the position when everything
   * is redrawn. `isAnswering`: the answer being replaced is not shown as hidden.
   */
  async newest(isAnswering: boolean): Promise<Result<Page, StorageFailed>> {
    let page = await this.#pageBefore(messageId(this.#source.conversation.history.length), isAnswering);
    while (page.ok && page.value.start > this.#oldestSentId && page.value.rows.length < MAX_REDRAWN_ROWS) {
      const above = await this.#pageBefore(page.value.start);
      page = above.ok ? ok({ ...above.value, rows: [...above.value.rows, ...page.value.rows] }) : above;
    }
    if (page.ok) this.#noteSent(page.value);
    return page;
  }

  /** The page above row `rowId`; empty when there is no such row or nothing above it. */
  async above(rowId: string): Promise<Result<Page, StorageFailed>> {
    const id = /^(?:message|hidden|summary)-(\d+)$/.exec(rowId)?.[1];
    if (id === undefined) return ok({ rows: [], hasOlder: false });
    const { summaries } = this.#source.conversation.history;
    const first = rowId.startsWith("summary") ? summaries[Number(id)]?.covers.end : Number(id);
    if (first === undefined) return ok({ rows: [], hasOlder: false });
    const page = await this.#pageBefore(messageId(first));
    if (page.ok) this.#noteSent(page.value);
    return page;
  }

  #turns(isAnswering: boolean): HiddenTurns {
    const { history } = this.#source.conversation;
    if (isAnswering) return new HiddenTurns(history, true);
    if (this.#hiddenTurns?.isCurrent !== true) this.#hiddenTurns = new HiddenTurns(history);
    return this.#hiddenTurns;
  }

  #noteSent({ start }: ReadPage): void {
    this.#oldestSentId = Math.min(this.#oldestSentId, start);
  }

  async #pageBefore(end: MessageId, isAnswering = false): Promise<Result<ReadPage, StorageFailed>> {
    const { history } = this.#source.conversation;
    const hidden = this.#turns(isAnswering).from(end - MAX_HIDDEN_LOOKBACK);
    const entries: HistoryEntry[] = [];
    let id: number = end;
    while (id > 0 && (entries.length < PAGE_ROWS || isShownWithAnother(entries[0]))) {
      id -= 1;
      const entry = history.entry(messageId(id));
      if (history.isVisible(entry) || hidden.has(entry.id)) entries.unshift(entry);
    }
    const rows = await rowsOf(this.#source, entries);
    return rows.ok ? ok({ rows: rows.value, hasOlder: id > 0, start: messageId(id) }) : rows;
  }
}

/** Tool results are shown in the row of their calls, the rest of an answer in that of its beginning: no page begins so. */
function isShownWithAnother(entry: HistoryEntry | undefined): boolean {
  return entry !== undefined && (isToolResult(entry) || entry.continues !== undefined);
}
