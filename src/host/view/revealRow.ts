/** Brings a row into sight that the view may not have yet: the rows between it and the oldest one at hand are read. */

import type { StorageFailed } from "../../core/errors.ts";
import { ok, type Result } from "../../core/result.ts";
import type { RevealedRow } from "../../protocol/readingPlace.ts";
import type { Row, ToViewBody } from "../../protocol/toView.ts";
import type { Session } from "../session/session.ts";

/** What is further away is not shown in the chat: the page would have to hold too many rows. */
const MOST_ROWS = 20_000;
/** Rows that are handed over at once. */
const ROWS_AT_ONCE = 400;

/** A row to be brought into sight. */
export interface RowPlace extends RevealedRow {
  /** The oldest row that the view has. */
  readonly before: string;
}

/**
 * Reads rows above `before` until `rowId` is among them, and brings it into sight; answers whether it is there. A row that
 * the view has already is found there.
 */
export async function revealRow(
  session: Session,
  { before, ...revealed }: RowPlace,
  emit: (body: ToViewBody) => void,
): Promise<Result<boolean, StorageFailed>> {
  const { rowId } = revealed;
  let oldest = before;
  let isThere = isBehind(rowId, before) || session.transcript.page.rows.some((row) => row.rowId === rowId);
  for (let count = 0, hasOlder = true; !isThere && hasOlder && count < MOST_ROWS;) {
    const rows: Row[] = [];
    while (!isThere && hasOlder && rows.length < ROWS_AT_ONCE) {
      const page = await session.transcript.older(rows[0]?.rowId ?? oldest);
      if (!page.ok) return page;
      if (page.value.rows.length === 0) break;
      rows.unshift(...page.value.rows);
      ({ hasOlder } = page.value);
      isThere = page.value.rows.some((row) => row.rowId === rowId);
    }
    if (rows[0] === undefined) break;
    emit({ kind: "rowsOlder", before: oldest, rows, hasOlder });
    oldest = rows[0].rowId;
    count += rows.length;
  }
  if (isThere) emit({ kind: "reveal", ...revealed });
  return ok(isThere);
}

/** Whether a message's row stands at or behind the oldest one that the view has. */
function isBehind(rowId: string, oldest: string): boolean {
  const [number, first] = [rowId, oldest].map((id) => /^message-(\d+)$/.exec(id)?.[1]);
  return number !== undefined && first !== undefined && Number(number) >= Number(first);
}
