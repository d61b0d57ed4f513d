/**
 * Everything readable in a damaged file. A row of `record` or `message` counts only with its right checksum, so whatever is
 * found is what was written; a row is known by its shape, so it does not matter which table the file says it is in.
 */

import type { JournalRow } from "../../../core/journal/journalRow.ts";
import { checksum, journalRow, recordChecksum, storedText } from "../rowCodec.ts";
import { DamagedRow } from "../engine.ts";
import type { DatabasePages, PageView } from "./databasePages.ts";
import { cellsOf, type Cell, type CellValue } from "./leafCells.ts";

/** A message's stored texts. */
export interface SalvagedMessage {
  readonly id: number;
  readonly entry: string;
  readonly body: string;
}

/** What was found. Texts of messages are read again when they are needed, since together they may be large. */
export interface Salvage {
  /** The JSON of records by number. */
  readonly records: ReadonlyMap<number, string>;
  /** Ids of messages whose content was found. */
  readonly messageIds: ReadonlySet<number>;
  /** Rows of steps that became no message. */
  readonly journal: readonly JournalRow[];
  readonly draft: string;
  readMessage(id: number): SalvagedMessage | undefined;
}

interface Place {
  readonly view: PageView;
  readonly page: number;
}

/** Looks at every page of every view. The first copy of a row that is found is kept. */
export function salvage(pages: DatabasePages): Salvage {
  const collector = new Collector();
  for (const view of pages.views()) {
    for (const number of view.numbers) {
      for (const cell of cellsOf(view, number)) collector.add(cell, { view, page: number });
    }
  }
  return collector;
}

class Collector implements Salvage {
  readonly records = new Map<number, string>();
  draft = "";
  readonly #places = new Map<number, Place>();
  readonly #rows = new Map<string, JournalRow>();
  readonly #steps = new Set<CellValue>();

  get messageIds(): ReadonlySet<number> {
    return new Set(this.#places.keys());
  }

  get journal(): readonly JournalRow[] {
    return [...this.#rows.values()].filter((row) => !this.#steps.has(row.stepId));
  }

  add(cell: Cell, place: Place): void {
    const { rowId, values } = cell;
    if (rowId === undefined) this.#addJournalRow(values);
    else if (values.length === 4) this.#addRecord(rowId, values);
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

  #addRecord(number: number, [, kind, body, sum]: readonly CellValue[]): void {
    if (typeof kind !== "string" || typeof body !== "string" || this.records.has(number)) return;
    if (recordChecksum(number, body) === sum) this.records.set(number, body);
  }

  #addMessage(cell: Cell, place: Place): void {
    const message = messageIn(cell);
    if (message === undefined || this.#places.has(message.id)) return;
    this.#places.set(message.id, place);
    this.#steps.add(cell.values[1]);
  }

  #addJournalRow([step, seq, eventType, content, createdAt]: readonly CellValue[]): void {
    const key = `${String(step)} ${String(seq)}`;
    if (this.#rows.has(key)) return;
    const row = readable(() =>
      journalRow({
        step_id: step ?? null,
        seq: seq ?? null,
        event_type: eventType ?? null,
        content: content ?? null,
        created_at: createdAt ?? null,
      }),
    );
    if (row !== undefined) this.#rows.set(key, row);
  }

  #addDraft([, content]: readonly CellValue[]): void {
    this.draft ||= readable(() => storedText({ content: content ?? null }, "content")) ?? "";
  }
}

function messageIn({ values }: Cell): SalvagedMessage | undefined {
  const [, , entry, body, sum] = values;
  if (typeof entry !== "string" || typeof body !== "string") return undefined;
  if (checksum(entry, body) !== sum) return undefined;
  const parsed: unknown = JSON.parse(entry);
  const id = typeof parsed === "object" && parsed !== null && "id" in parsed ? parsed.id : undefined;
  return typeof id === "number" ? { id, entry, body } : undefined;
}

/** Columns of other shapes than the table's throw; here that only says that this is no such row. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRow) return undefined;
    throw error;
  }
}
