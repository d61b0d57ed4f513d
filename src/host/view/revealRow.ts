/** Scrolls to a row that the page may not have yet: the rows between it and the oldest loaded one are read. */

import type { StorageFailed } from "../../core/errors.ts";
import { ok, type Result } from "../../core/result.ts";
import type { RevealedRow } from "../../protocol/scrollAnchor.ts";
import type { Row, ToViewBody } from "../../protocol/toView.ts";
import type { Session } from "../session/session.ts";

/** Rows further up are not shown in the chat: the page would have to hold too many. */
const MAX_ROWS = 20_000;
/** Rows per message to the page. */
const ROWS_AT_ONCE = 400;

export interface RowTarget extends RevealedRow {
  /** Id of the oldest row that the page has. */
  readonly before: string;
}

/** Reads the rows above `before` until `rowId` is among them, and scrolls to it; resolves to whether it was found. */
export async function revealRow(
  session: Session,
  { before, ...revealed }: RowTarget,
  emit: (body: ToViewBody) => void,
): Promise<Result<boolean, StorageFailed>> {
  const { rowId } = revealed;
  let oldest = before;
  let isThere = isAtOrAfter(rowId, before) || session.transcript.page.rows.some((row) => row.rowId === rowId);
  for (let count = 0, hasOlder = true; !isThere && hasOlder && count < MAX_ROWS;) {
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

/** Whether the row of a message is, or comes after, the oldest one that the page has. */
function isAtOrAfter(rowId: string, oldest: string): boolean {
  const [number, first] = [rowId, oldest].map((id) => /^message-(\d+)$/.exec(id)?.[1]);
  return number !== undefined && first !== undefined && Number(number) >= Number(first);
}
