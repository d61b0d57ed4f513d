/** Reads a table with row ids by walking its b-tree, in one view of the file and its log. */

import type { PageView } from "./databasePages.ts";
import {
  cellsOf,
  rowIdsOnPage,
  storedRowsOn,
  tablePage,
  type Cell,
  type StoredRow,
  type TablePage,
} from "./pageCells.ts";

/** Root pages in every file, determined by the order of the tables in schema version 1. */
export const RECORD_PAGE = 2;
export const MESSAGE_PAGE = 3;

/** Pages visited in search of a row: far more than a tree is deep. */
const MOST_PAGES = 64;

/** The value of the row with the highest key for which `read` has one; `undefined` if none is found near the end. */
export function newestRow<T>(view: PageView, root: number, read: (cell: Cell) => T | undefined): T | undefined {
  const pages = [root];
  for (let visited = 0; visited < MOST_PAGES; visited++) {
    const number = pages.pop();
    if (number === undefined) return undefined;
    const children = tablePage(view, number)?.children;
    if (children !== undefined) {
      pages.push(...children.slice(-MOST_PAGES).map(({ page }) => page));
      continue;
    }
    for (const cell of cellsOf(view, number).toReversed()) {
      const value = read(cell);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** The row with this key; `undefined` if the tree does not lead to it. */
export function rowAt(view: PageView, root: number, key: number): Cell | undefined {
  let number: number | undefined = root;
  for (let visited = 0; visited < MOST_PAGES && number !== undefined; visited++) {
    const children: TablePage["children"] = tablePage(view, number)?.children;
    if (children === undefined) return cellsOf(view, number).find(({ rowId }) => rowId === key);
    number = children.find(({ upTo }) => key <= upTo)?.page;
  }
  return undefined;
}

/** The rows with a key of at least `from`, in order, up to the first page that is none of the tree. */
export function* rowsFrom(view: PageView, root: number, from: number): Generator<StoredRow> {
  const seen = new Set<number>();
  const pages = [root];
  for (let number = pages.pop(); number !== undefined; number = pages.pop()) {
    const page = seen.has(number) ? undefined : tablePage(view, number);
    if (page === undefined) return;
    seen.add(number);
    if (page.children === undefined) yield* storedRowsOn(view, page, from);
    const children = (page.children ?? []).filter(({ upTo }) => upTo >= from);
    pages.push(...children.toReversed().map((child) => child.page));
  }
}

/** Whether the tree of a table has the keys 0, 1, 2, … without a gap. Reads every page of the tree once. */
export function isTreeWhole(view: PageView, root: number): boolean {
  const seen = new Set<number>();
  const pages = [root];
  let next = 0;
  for (let number = pages.pop(); number !== undefined; number = pages.pop()) {
    const page = seen.has(number) ? undefined : tablePage(view, number);
    if (page === undefined) return false;
    seen.add(number);
    if (page.children === undefined) for (const rowId of rowIdsOnPage(page)) if (rowId !== next++) return false;
    pages.push(...(page.children?.toReversed() ?? []).map((child) => child.page));
  }
  return true;
}
