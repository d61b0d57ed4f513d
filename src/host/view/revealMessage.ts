/** Jumping to a message that is named in the chat: the rows between it and the oldest one at hand are read and shown. */

import * as vscode from "vscode";
import type { StorageFailed } from "../../core/errors.ts";
import { messageId } from "../../core/ids.ts";
import { ok, type Result } from "../../core/result.ts";
import { searchText } from "../../core/search/searchText.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { revealRow } from "./revealRow.ts";
import type { Session } from "../session/session.ts";
import { summaryPlace } from "../transcript/summaryVersions.ts";

/** What the view says of where it is. */
export interface RevealPlace {
  readonly messageId: number;
  /** The oldest row that the view has. */
  readonly before: string;
  /** The reader was there, so far below the top of the view in CSS pixels, and stays, with the keyboard where it is. */
  readonly topPx?: number;
}

/** Shows message `messageId`; one that there is none of, or that is hidden, is left. */
export async function revealMessage(
  session: Session,
  { messageId: number, before, topPx }: RevealPlace,
  emit: (body: ToViewBody) => void,
): Promise<Result<void, StorageFailed>> {
  const { history } = session.opened.manager;
  if (number >= history.length) return ok(undefined);
  const entry = history.entry(messageId(number));
  if (!history.isVisible(entry)) return ok(undefined);
  const rowId = `message-${String(entry.batch ?? entry.id)}`;
  const staying = topPx === undefined ? {} : { keepsFocus: true as const, topPx };
  const revealed = await revealRow(session, { rowId, before, ...staying }, emit);
  if (!revealed.ok) return revealed;
  if (revealed.value || topPx !== undefined) return ok(undefined);
  return openInEditor(session, number);
}

/** Shows the marker of a summary; one that has none, as a part of another one, is left. */
export async function revealSummary(
  session: Session,
  { summaryId, before }: { readonly summaryId: number; readonly before: string },
  emit: (body: ToViewBody) => void,
): Promise<Result<void, StorageFailed>> {
  const { history } = session.opened.manager;
  const summary = history.summaries[summaryId];
  const first = summary === undefined ? undefined : summaryPlace(history, summary.covers)?.versions[0];
  if (first === undefined) return ok(undefined);
  const revealed = await revealRow(session, { rowId: `summary-${String(first.id)}`, before }, emit);
  return revealed.ok ? ok(undefined) : revealed;
}

/** Shows the words of a message, which is there, in an editor. */
export async function openInEditor({ opened }: Session, number: number): Promise<Result<void, StorageFailed>> {
  const read = await opened.store.readMessages([messageId(number)]);
  if (!read.ok) return read;
  const content = read.value.map(({ message }) => searchText(message)).join("\n");
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document, { preview: true });
  return ok(undefined);
}
