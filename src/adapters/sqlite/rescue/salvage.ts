/**
 * Collects everything readable from a damaged file. Rows of `record` and `message` count only with a valid checksum, so
 * everything found is what was written. Rows are recognized by their columns, whichever table a page belongs to.
 */

import { isUnsentRow, type JournalRow } from "../../../core/store/journalRow.ts";
import { storedText } from "../rowCodec.ts";
import type { DatabasePages, PageView } from "../pages/databasePages.ts";
import { undefinedIfDamaged, rowIn, readIntactJournal } from "./journalTree.ts";
import { isLogOlder } from "./contentLoss.ts";
import { cellsOf, type Cell, type CellValue } from "../pages/pageCells.ts";
import { messageIn, recordIn, type SalvagedMessage, type SalvagedRecord } from "./soundRows.ts";

/** Texts of messages are read again on demand, since together they may be large. */
export interface Salvage {
  /** JSON by record number. */
  readonly records: ReadonlyMap<number, string>;
  readonly messageIds: ReadonlySet<number>;
  /**
   * Rows of steps that did not become a message. If the journal's own tree is intact, unsent composer and queue rows
   * count only if they are in it: the user may have removed the others.
   */
  readonly journal: readonly JournalRow[];
  readonly draft: string;
  readMessage(id: number): SalvagedMessage | undefined;
}

interface Place {
  readonly view: PageView;
  readonly page: number;
}

/** Scans every page of every view; the first copy of a row wins. */
export function salvage(pages: DatabasePages): Salvage {
  const isFileNewest = isLogOlder(pages);
  const views = isFileNewest ? [pages.withoutLog, ...pages.views()] : pages.views();
  // The last view is the file without its log: out of date, unless it is the only one or the log is older.
  const current = isFileNewest ? views.slice(0, 1) : views.length > 1 ? views.slice(0, -1) : views;
  const journals = current.map(readIntactJournal);
  const collector = new Collector(journals.every((rows) => rows !== undefined) ? journals.flat() : undefined);
  for (const view of views) {
    for (const number of view.numbers) {
      for (const cell of cellsOf(view, number)) collector.add(cell, { view, page: number });
    }
  }
  return collector;
}

class Collector implements Salvage {
  readonly records = new Map<number, string>();
  readonly #places = new Map<number, Place>();
  readonly #rows = new Map<string, JournalRow>();
  readonly #steps = new Set<CellValue>();
  readonly #journalStepIds: ReadonlySet<string> | undefined;
  #draft: string | undefined;

  /** `journal`: the rows of the journal's tree; `undefined` if it is damaged. */
  constructor(journal: readonly JournalRow[] | undefined) {
    this.#journalStepIds = journal && new Set(journal.map(({ stepId }) => stepId));
  }

  get draft(): string {
    return this.#draft ?? "";
  }

  get messageIds(): ReadonlySet<number> {
    return new Set(this.#places.keys());
  }

  get journal(): readonly JournalRow[] {
    return [...this.#rows.values()].filter((row) => !this.#steps.has(row.stepId));
  }

  add(cell: Cell, place: Place): void {
    const { rowId, values } = cell;
    if (rowId === undefined) this.#addJournalRow(rowIn(cell));
    else if (values.length === 4) this.#addRecord(recordIn(cell));
    else if (values.length === 5) this.#addMessage(cell, place);
    else if (values.length === 2 && rowId === 0) this.#addDraft(values);
  }

  readMessage(id: number): SalvagedMessage | undefined {
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    return cellsOf(place.view, place.page)
      .map(messageIn)
      .find((message) => message?.id === id);
  }

  #addRecord(record: SalvagedRecord | undefined): void {
    if (record !== undefined && !this.records.has(record.number)) this.records.set(record.number, record.body);
  }

  #addMessage(cell: Cell, place: Place): void {
    const message = messageIn(cell);
    if (message === undefined || this.#places.has(message.id)) return;
    this.#places.set(message.id, place);
    this.#steps.add(cell.values[1]);
  }

  #addJournalRow(row: JournalRow | undefined): void {
    if (row === undefined) return;
    if (isUnsentRow(row) && this.#journalStepIds?.has(row.stepId) === false) return;
    const key = `${row.stepId} ${String(row.seq)}`;
    if (!this.#rows.has(key)) this.#rows.set(key, row);
  }

  #addDraft([, content]: readonly CellValue[]): void {
    this.#draft ??= undefinedIfDamaged(() => storedText({ content: content ?? null }, "content"));
  }
}
