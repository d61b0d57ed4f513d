import * as vscode from "vscode";
import { textOf } from "../../core/message.ts";
import type { RecoverableAnswer } from "../../core/journal/recoverAnswers.ts";
import { localize } from "../../protocol/localize.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { formatAge } from "../words/formatting.ts";
import type { Session } from "../session/session.ts";
import { inList } from "../editor/boxes/inList.ts";
import { onOneLine } from "../tools/hiddenText.ts";

/** "Forge: Recover": asks what to do with the oldest interrupted answer, and does it. */
export async function pickRecovery(
  session: Session,
  views: Pick<ChatViews, "restoreFocus">,
  keyboard: CommandFocus,
): Promise<void> {
  const [leftover] = session.recoverable;
  if (leftover === undefined) {
    await vscode.window.showQuickPick(
      inList([
        { label: `$(check) ${localize("Nothing to recover")}`, description: localize("Every answer is complete.") },
      ]),
      {
        title: localize("Forge: Recover"),
      },
    );
    keyboard.afterPrompt();
    return;
  }
  const picked = await vscode.window.showQuickPick(
    inList([
      {
        label: `$(debug-continue) ${localize("Continue")}`,
        description: localize("Keep it, and let the model go on"),
        choice: "continue",
      },
      { label: `$(check) ${localize("Keep")}`, description: localize("It becomes a message as it is"), choice: "keep" },
      {
        label: `$(refresh) ${localize("Ask again")}`,
        description: localize("Keep it hidden, and send the question again"),
        choice: "askAgain",
      },
    ] as const),
    {
      title: localize("Forge: Recover an answer (interrupted {0})", formatAge(Date.now() - leftover.lastAtMs)),
      placeHolder: onOneLine(lastWords(leftover)),
    },
  );
  views.restoreFocus(); // the chat offers the same choice
  if (picked !== undefined) await session.recover(leftover.stepId, picked.choice);
}

/** Number of words that fit into the picker's placeholder. */
const LAST_WORDS = 9;

/** “… and the last words of it”, to identify the answer. */
function lastWords(leftover: RecoverableAnswer): string {
  const words = textOf(leftover.message).trim().split(/\s+/);
  return `“${words.length > LAST_WORDS ? "… " : ""}${words.slice(-LAST_WORDS).join(" ")}”`;
}
