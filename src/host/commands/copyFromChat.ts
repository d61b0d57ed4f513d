/** Copy commands of the chat's context menu. */

import * as vscode from "vscode";
import { answerParts } from "../../core/history/continuations.ts";
import { textOf } from "../../core/message.ts";
import { withoutBlankEnd } from "../../protocol/copiedText.ts";
import type { Presenter } from "../view/presenter.ts";
import { contextMenuMessage } from "../view/contextMenuMessage.ts";
import type { Session } from "../session/session.ts";
import { explain } from "../words/explain.ts";

/** The page puts the selected text into the menu's context. */
export async function copySelection(context: unknown): Promise<void> {
  const isSelection = typeof context === "object" && context !== null && "forgeSelection" in context;
  const selected = isSelection ? context.forgeSelection : undefined;
  if (typeof selected === "string") await vscode.env.clipboard.writeText(selected);
}

/** Copies the text of the clicked message, as Markdown. */
export async function copyMessage(session: Session, presenter: Presenter, context: unknown): Promise<void> {
  const id = contextMenuMessage(context, session);
  if (id === undefined) return;
  const read = await session.opened.store.readMessages(answerParts(session.opened.manager.history, id));
  if (!read.ok) presenter.showBanner(explain(read.error, ""));
  else await vscode.env.clipboard.writeText(withoutBlankEnd(read.value.map(({ message }) => textOf(message)).join("")));
}
