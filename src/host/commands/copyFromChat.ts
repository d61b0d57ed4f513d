/** Copying by the editor's own menu on the chat: what is selected there, or the message that was clicked. */

import * as vscode from "vscode";
import { textOf } from "../../core/message.ts";
import type { Presenter } from "../view/presenter.ts";
import { messageIn } from "../view/messageInContext.ts";
import type { Session } from "../session/session.ts";
import { explain } from "../words/explain.ts";

/** Copies what was selected where the click was; the page says it with the click. */
export async function copySelection(context: unknown): Promise<void> {
  const isSelection = typeof context === "object" && context !== null && "forgeSelection" in context;
  const selected = isSelection ? context.forgeSelection : undefined;
  if (typeof selected === "string") await vscode.env.clipboard.writeText(selected);
}

/** Copies the words of the message that was clicked, as Markdown. */
export async function copyMessage(session: Session, presenter: Presenter, context: unknown): Promise<void> {
  const id = messageIn(context, session);
  if (id === undefined) return;
  const read = await session.opened.store.readMessages([id]);
  if (!read.ok) presenter.showBanner(explain(read.error, ""));
  else await vscode.env.clipboard.writeText(read.value.map(({ message }) => textOf(message)).join("\n"));
}
