/**
 * The journal as its own pages hang together. Rows leave the journal when what they wait for has happened or is
 * not wanted any more; what is left of them on older pages, and on those that are free again, is not in it.
 */

import type { JournalRow } from "../../../core/store/journalRow.ts";
import { DamagedRow } from "../engine/engine.ts";
import { journalRow } from "../rowCodec.ts";
import type { PageView } from "./databasePages.ts";
import { rowPage, type Cell } from "./pageCells.ts";

/** Where the journal begins in every file: the first version of the tables has put it there. */
export const JOURNAL_PAGE = 5;

/** The rows of the journal in one view; `undefined` where a page, a row or a part of a step is missing. */
export function wholeJournal(view: PageView): readonly JournalRow[] | undefined {
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

/** The row of a cell; `undefined` when it is none of the journal. */
export function rowIn({ rowId, values }: Cell): JournalRow | undefined {
  if (rowId !== undefined) return undefined;
  const [step, seq, eventType, content, createdAt] = values;
  return readable(() =>
    journalRow({
      step_id: step ?? null,
      seq: seq ?? null,
      event_type: eventType ?? null,
      content: content ?? null,
      created_at: createdAt ?? null,
    }),
  );
}

/** What `read` answers; `undefined` where columns of other shapes than the table's make it throw. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRow) return undefined;
    throw error;
  }
}

/** Whether the rows of each step are numbered 0, 1, 2, …. */
function isWithoutGap(rows: readonly JournalRow[]): boolean {
  const counts = new Map<string, { rows: number; last: number }>();
  for (const { stepId, seq } of rows) {
    const count = counts.get(stepId) ?? { rows: 0, last: 0 };
    counts.set(stepId, { rows: count.rows + 1, last: Math.max(count.last, seq) });
  }
  return [...counts.values()].every((count) => count.rows === count.last + 1);
}
