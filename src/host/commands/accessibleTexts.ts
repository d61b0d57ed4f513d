/** Texts for people who listen: the keys of the chat, and an answer in the editor, where each line can be gone to. */

import { answerParts } from "../../core/history/continuations.ts";
import { textOf } from "../../core/message.ts";
import { localize } from "../../protocol/localize.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { explain } from "../words/explain.ts";

export async function showAccessibilityHelp(documents: ReadOnlyDocuments): Promise<void> {
  const text = [
    localize("The chat of Forge, by keyboard and screen reader"),
    "",
    localize("Enter sends the message, Shift+Enter begins a line, Esc stops an answer."),
    localize("Alt+Up and Alt+Down go from message to message; Tab then reaches its actions."),
    localize("Ctrl+F finds in the conversation, folded and summarized messages too."),
    localize("Ctrl+Alt+Shift+F goes to the chat, and back to the editor."),
    localize("Alt+F2 opens the latest answer as text in an editor, line by line."),
    localize("Type @ to add a file, and / for commands; the arrow keys choose, Enter takes, Esc closes."),
    localize("A tool that needs your word is read out with its folder and what would run; Tab reaches Allow and Deny."),
    "",
    localize("The setting “forge.readOut” says how much is read out by itself: all, short (what happens), or off."),
    localize(
      "Announcements that you turn off for the editor’s own chat, under “accessibility.signals”, are off here, too.",
    ),
    "",
  ].join("\n");
  await documents.show({ name: `${localize("Accessibility Help")}.txt`, text });
}

/** Opens the newest answer that is shown, as Markdown. */
export async function showAnswerAsText(
  session: Session,
  presenter: Presenter,
  documents: ReadOnlyDocuments,
): Promise<void> {
  const { history } = session.opened.manager;
  const answer = history.entries.findLast((entry) => entry.role === "assistant" && history.isVisible(entry));
  if (answer === undefined) {
    presenter.showBanner({
      tone: "info",
      text: localize("There is no answer in this conversation yet."),
      actions: [],
    });
    return;
  }
  const read = await session.opened.store.readMessages(answerParts(history, answer.id));
  if (!read.ok) presenter.showBanner(explain(read.error, ""));
  else {
    const text = read.value.map(({ message }) => textOf(message)).join("");
    await documents.show({ name: `${localize("Answer {0}", answer.id + 1)}.md`, text });
  }
}
