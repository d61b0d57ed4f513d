/** Jumping to a message that is named in the chat: the rows between it and the oldest one at hand are read and shown. */

import * as vscode from "vscode";
import type { StorageFailed } from "../core/errors.ts";
import { messageId } from "../core/ids.ts";
import { ok, type Result } from "../core/result.ts";
import { searchText } from "../core/search/searchText.ts";
import type { Row, ToViewBody } from "../protocol/toView.ts";
import type { Session } from "./session.ts";

/** What is further away is shown in the editor instead: the page would have to hold too many rows. */
const MOST_ROWS = 1_000;

/** What the view says of where it is. */
export interface RevealPlace {
  readonly messageId: number;
  /** The oldest row that the view has. */
  readonly before: string;
}

/** Shows message `messageId`; one that there is none of, or that is hidden, is left. */
export async function revealMessage(
  session: Session,
  { messageId: number, before }: RevealPlace,
  emit: (body: ToViewBody) => void,
): Promise<Result<void, StorageFailed>> {
  const { history } = session.opened.manager;
  if (number >= history.length) return ok(undefined);
  const entry = history.entry(messageId(number));
  if (!history.isVisible(entry)) return ok(undefined);
  const rowId = `message-${String(entry.batch ?? entry.id)}`;
  const rows: Row[] = [];
  let hasOlder = true;
  while (hasOlder && rows.length < MOST_ROWS && !rows.some((row) => row.rowId === rowId)) {
    const page = await session.transcript.older(rows[0]?.rowId ?? before);
    if (!page.ok) return page;
    if (page.value.rows.length === 0) break;
    rows.unshift(...page.value.rows);
    ({ hasOlder } = page.value);
  }
  if (!rows.some((row) => row.rowId === rowId)) return openInEditor(session, number);
  emit({ kind: "rowsOlder", before, rows, hasOlder });
  emit({ kind: "reveal", rowId });
  return ok(undefined);
}

async function openInEditor({ opened }: Session, number: number): Promise<Result<void, StorageFailed>> {
  const read = await opened.store.readMessages([messageId(number)]);
  if (!read.ok) return read;
  const content = read.value.map(({ message }) => searchText(message)).join("\n");
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document, { preview: true });
  return ok(undefined);
}
