/**
 * "Forge: Erase Message for Good": picks the message, confirms with a list of what is erased with it, and erases it.
 */

import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { ForgeError } from "../../core/errors.ts";
import type { MessageId } from "../../core/ids.ts";
import { searchText } from "../../core/search/searchText.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { busyBanner } from "../words/busyBanner.ts";
import { explain, readOnlyBanner } from "../words/explain.ts";
import { contextMenuMessage } from "../view/contextMenuMessage.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import { lineOf, pickMessage } from "../pickers/messagePicker.ts";
import type { Presenter } from "../view/presenter.ts";
import type { SearchIndex } from "../search/searchIndex.ts";
import type { Session } from "../session/session.ts";
import { showWarning } from "../editor/boxes/messages.ts";

const ERASE = localize("Erase for Good");

/** Erases the clicked message, or asks which one. Asks for confirmation in both cases. */
export async function eraseMessage(
  session: Session,
  presenter: Presenter,
  keyboard: CommandFocus,
  context: unknown,
  index: Pick<SearchIndex, "forget">,
): Promise<void> {
  const refusal = refusalOf(session);
  if (refusal !== undefined) {
    presenter.showBanner(refusal, () => isDeepStrictEqual(refusalOf(session), refusal));
    return;
  }
  const failed = (error: ForgeError): void => {
    if (error.code === "CANCELLED") session.run.showBusy(BUSY_TEXT);
    else presenter.showBanner(explain(error, ""));
  };
  const clicked = contextMenuMessage(context, session);
  const picked = clicked === undefined ? await pickMessage(session, QUESTION) : { ok: true as const, value: clicked };
  const id = picked.ok ? picked.value : undefined;
  const isToErase = id !== undefined && (await confirmErasure(session, id));
  keyboard.afterPrompt();
  if (!picked.ok) failed(picked.error);
  if (!isToErase) return;
  const erased = await vscode.window.withProgress({ location: { viewId: "forge.chat" } }, async () => {
    const done = await session.erasing.erase(id);
    await index.forget([session.opened.id]);
    return done;
  });
  if (!erased.ok) failed(erased.error);
}

const QUESTION = {
  title: localize("Forge: Erase a Message for Good"),
  placeholder: localize("Search in what was said"),
};

const BUSY_TEXT = localize("Erasing waits until this answer has ended. Stop it, or try again.");

function refusalOf(session: Session) {
  if (session.readOnlyReason !== undefined) return readOnlyBanner(session.readOnlyReason);
  if (session.activity !== "idle") return busyBanner(session.run.shownActivity, BUSY_TEXT);
  const { length } = session.opened.manager.history;
  return length === 0
    ? ({ tone: "info", text: localize("Nothing was said in this conversation yet."), actions: [] } as const)
    : undefined;
}

async function confirmErasure(session: Session, id: MessageId): Promise<boolean> {
  const { messages, summaries } = session.erasing.erasureScope(id);
  const read = await session.opened.store.readMessages([id]);
  const words = read.ok ? read.value.map(({ message }) => searchText(message)).join(" ") : "";
  const erasedText =
    messages > 1
      ? localize(
          "Its text and the input and results of its tools are deleted from the conversation’s file, its log, its search index and its rescued copies.",
        )
      : localize("Its text is deleted from the conversation’s file, its log, its search index and its rescued copies.");
  const made = plural(
    summaries,
    "A summary that was made of it goes, too; the other messages in it are kept.",
    "{0} summaries that were made of it go, too; the other messages in them are kept.",
  );
  const sentences = [
    erasedText,
    localize("The place stays, marked as erased."),
    ...(summaries === 0 ? [] : [made]),
    localize(
      "Other messages that repeat the words stay, and so do files that you exported and what a provider was sent.",
    ),
    localize("This cannot be undone."),
  ];
  const detail = `${lineOf(words)}\n\n${sentences.join(" ")}`;
  const answer = await showWarning(localize("Erase this message for good?"), { modal: true, detail }, ERASE);
  return answer === ERASE;
}
