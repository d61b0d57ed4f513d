/** "Forge: Erase Message for Good": which one, the question that says what goes with it, and the act. */

import * as vscode from "vscode";
import type { ForgeError } from "../core/errors.ts";
import { messageId, type MessageId } from "../core/ids.ts";
import { searchText } from "../core/search/searchText.ts";
import { explain, writtenByNewer } from "./explain.ts";
import { lineOf, pickMessage } from "./messagePicker.ts";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";

const ERASE = "Erase for Good";

/** Asks which message, unless `context` is that of a row that was clicked, asks whether, and erases it. */
export async function eraseMessage(session: Session, presenter: Presenter, context: unknown): Promise<void> {
  const refusal = refusalOf(session);
  if (refusal !== undefined) {
    presenter.showBanner(refusal);
    return;
  }
  const failed = (error: ForgeError): void => {
    if (error.code === "CANCELLED") presenter.showBanner(WAITS);
    else presenter.showBanner(explain(error, ""));
  };
  const clicked = messageIn(context, session);
  const picked = clicked === undefined ? await pickMessage(session, QUESTION) : { ok: true as const, value: clicked };
  if (!picked.ok) {
    failed(picked.error);
    return;
  }
  const { value: id } = picked;
  if (id === undefined || !(await isMeant(session, id))) return;
  const erased = await vscode.window.withProgress({ location: { viewId: "forge.chat" } }, () =>
    session.erasing.erase(id),
  );
  if (!erased.ok) failed(erased.error);
}

const QUESTION = {
  title: "Forge: Erase a Message for Good",
  placeholder: "Search in what was said",
};

const WAITS = {
  tone: "info",
  text: "Erasing waits until this answer has ended. Stop it, or try again.",
  actions: [],
} as const;

function refusalOf(session: Session) {
  if (session.isReadOnly) return writtenByNewer();
  if (session.activity !== "idle") return WAITS;
  const { length } = session.opened.manager.history;
  return length === 0
    ? ({ tone: "info", text: "Nothing was said in this conversation yet.", actions: [] } as const)
    : undefined;
}

/** The message whose row was clicked, as the page named it. One that was erased is none. */
function messageIn(context: unknown, { opened }: Session): MessageId | undefined {
  const named =
    typeof context === "object" && context !== null && "forgeMessage" in context ? context.forgeMessage : "";
  const number = typeof named === "number" ? named : Number.NaN;
  const { history } = opened.manager;
  if (!Number.isInteger(number) || number < 0 || number >= history.length) return undefined;
  return history.entry(messageId(number)).erasedAtMs === undefined ? messageId(number) : undefined;
}

async function isMeant(session: Session, id: MessageId): Promise<boolean> {
  const { messages, summaries } = session.erasing.reachOf(id);
  const withTools = messages > 1 ? " and what its tools were given and found" : "";
  const made =
    summaries === 0
      ? ""
      : summaries === 1
        ? " A summary that was made of it goes, too; the other messages in it are kept."
        : ` ${String(summaries)} summaries that were made of it go, too; the other messages in them are kept.`;
  const read = await session.opened.store.readMessages([id]);
  const words = read.ok ? read.value.map(({ message }) => searchText(message)).join(" ") : "";
  const detail =
    `${lineOf(words)}\n\nIts words${withTools} leave the conversation’s file, its log, its search index and its rescued copies. ` +
    `The place stays, marked as erased.${made} Other messages that repeat the words stay, and so do files that you ` +
    "exported and what a provider was sent. This can not be undone.";
  const answer = await vscode.window.showWarningMessage("Erase this message for good?", { modal: true, detail }, ERASE);
  return answer === ERASE;
}
