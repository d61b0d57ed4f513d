/**
 * Reads the journal by walking its b-tree. Rows are deleted from the journal once they are settled or unwanted; walking
 * the tree excludes the remains of deleted rows on old and free pages.
 */

import type { JournalRow } from "../../../core/store/journalRow.ts";
import { DamagedRow } from "../engine/engine.ts";
import { journalRow } from "../rowCodec.ts";
import type { PageView } from "../pages/databasePages.ts";
import { rowPage, type Cell } from "../pages/pageCells.ts";

/** Root page of the journal in every file, determined by the order of the tables in schema version 1. */
export const JOURNAL_PAGE = 5;

/** The journal rows in one view; `undefined` if a page, a row or part of a step is missing. */
export function readIntactJournal(view: PageView): readonly JournalRow[] | undefined {
  const rows: JournalRow[] = [];
  const seen = new Set<number>();
  const pages = [JOURNAL_PAGE];
  for (let number = pages.pop(); number !== undefined; number = pages.pop()) {
    const page = seen.has(number) ? undefined : rowPage(view, number);
    if (page?.isWhole !== true) return undefined;
    seen.add(number);
    for (const cell of page.cells) {
      const row = rowIn(cell);
      if (row === undefined) return undefined;
      rows.push(row);
    }
    pages.push(...page.children);
  }
  return isWithoutGap(rows) ? rows : undefined;
}

/** `undefined` if the cell is not a journal row. */
export function rowIn({ rowId, values }: Cell): JournalRow | undefined {
  if (rowId !== undefined) return undefined;
  const [step, seq, eventType, content, createdAt] = values;
  return undefinedIfDamaged(() =>
    journalRow({
      step_id: step ?? null,
      seq: seq ?? null,
      event_type: eventType ?? null,
      content: content ?? null,
      created_at: createdAt ?? null,
    }),
  );
}

/** The result of `read`; `undefined` if it throws {@link DamagedRow} because the columns are not those of the table. */
export function undefinedIfDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRow) return undefined;
    throw error;
  }
}

function isWithoutGap(rows: readonly JournalRow[]): boolean {
  const counts = new Map<string, { rows: number; last: number }>();
  for (const { stepId, seq } of rows) {
    const count = counts.get(stepId) ?? { rows: 0, last: 0 };
    counts.set(stepId, { rows: count.rows + 1, last: Math.max(count.last, seq) });
  }
  return [...counts.values()].every((count) => count.rows === count.last + 1);
}
