/** Scrolls the chat to a message or a summary; the rows between it and the oldest loaded one are read. */

import * as vscode from "vscode";
import type { StorageFailed } from "../../core/errors.ts";
import { answerStart } from "../../core/history/continuations.ts";
import { messageId } from "../../core/ids.ts";
import { ok, type Result } from "../../core/result.ts";
import { searchText } from "../../core/search/searchText.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { Session } from "../session/session.ts";
import { summaryPlace } from "../transcript/summaryVersions.ts";
import { showFailureIn } from "../words/showFailureIn.ts";
import type { ChatViews } from "./chatViews.ts";
import type { Presenter } from "./presenter.ts";
import { revealRow } from "./revealRow.ts";

export interface RevealTarget {
  readonly messageId: number;
  /** Id of the oldest row that the page has. */
  readonly before: string;
  /** Distance in CSS pixels from the top of the viewport to restore; the focus does not move then. */
  readonly topPx?: number;
}

/** Does nothing when the message is unknown or hidden; opens it in the editor when it is too far up. */
export async function revealMessage(
  session: Session,
  { messageId: number, before, topPx }: RevealTarget,
  emit: (body: ToViewBody) => void,
): Promise<Result<void, StorageFailed>> {
  const { history } = session.opened.manager;
  if (number >= history.length) return ok(undefined);
  const entry = history.entry(messageId(number));
  if (!history.isVisible(entry)) return ok(undefined);
  const rowId = `message-${answerStart(history, entry.batch ?? entry.id)}`;
  const staying = topPx === undefined ? {} : { keepsFocus: true as const, topPx };
  const revealed = await revealRow(session, { rowId, before, ...staying }, emit);
  if (!revealed.ok) return revealed;
  if (revealed.value || topPx !== undefined) return ok(undefined);
  return openInEditor(session, number);
}

/** Scrolls all pages to a message; failures are shown in the chat. */
export async function revealInAllPages(
  session: Session,
  number: number,
  views: Pick<ChatViews, "post">,
  presenter: Pick<Presenter, "snapshot" | "showBanner">,
): Promise<void> {
  views.post({ kind: "snapshot", view: presenter.snapshot() }); // after it, `before` is the oldest row of all pages
  session.transcript.scrollAnchor = null; // the saved scroll position is obsolete
  const before = session.transcript.page.rows[0]?.rowId;
  if (before === undefined) return;
  showFailureIn(await revealMessage(session, { messageId: number, before }, views.post), presenter);
}

/** Does nothing when the summary has no marker, as one that is part of another. */
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

/** Opens the text of an existing message in the editor. */
export async function openInEditor({ opened }: Session, number: number): Promise<Result<void, StorageFailed>> {
  const read = await opened.store.readMessages([messageId(number)]);
  if (!read.ok) return read;
  const content = read.value.map(({ message }) => searchText(message)).join("\n");
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(document, { preview: true });
  return ok(undefined);
}
