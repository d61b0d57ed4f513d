/** "Forge: Recover": the choice about an interrupted answer, as a native picker. */

import * as vscode from "vscode";
import { textOf } from "../../core/message.ts";
import type { LeftoverStep } from "../../core/journal/recover.ts";
import { localize } from "../../protocol/localize.ts";
import type { Keyboard } from "../editor/keyboard.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { formatAge } from "../words/rowWords.ts";
import type { Session } from "../session/session.ts";

/** Asks what becomes of the oldest interrupted answer, and does it. */
export async function pickRecovery(
  session: Session,
  views: Pick<ChatViews, "giveBackFocus">,
  keyboard: Keyboard,
): Promise<void> {
  const [leftover] = session.recoverable;
  if (leftover === undefined) {
    await vscode.window.showQuickPick(
      [{ label: `$(check) ${localize("Nothing to recover")}`, description: localize("Every answer is whole.") }],
      {
        title: localize("Forge: Recover"),
      },
    );
    keyboard.answered();
    return;
  }
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: `$(debug-continue) ${localize("Continue")}`,
        description: localize("Keep it, and let the model go on"),
        choice: "continue",
      },
      { label: `$(check) ${localize("Keep")}`, description: localize("It becomes a message as it is"), choice: "keep" },
      {
        label: `$(refresh) ${localize("Ask again")}`,
        description: localize("Keep it hidden, and send the question anew"),
        choice: "askAgain",
      },
    ] as const,
    {
      title: localize("Forge: Recover an answer (interrupted {0})", formatAge(Date.now() - leftover.lastAtMs)),
      placeHolder: lastWords(leftover),
    },
  );
  views.giveBackFocus(); // the same choice stands in the chat
  if (picked !== undefined) await session.recover(leftover.stepId, picked.choice);
}

/** As many as the box shows beside its picker. */
const LAST_WORDS = 9;

/** “… and the last words of it”, to tell which answer is meant. */
function lastWords(leftover: LeftoverStep): string {
  const words = textOf(leftover.message).trim().split(/\s+/);
  return `“${words.length > LAST_WORDS ? "… " : ""}${words.slice(-LAST_WORDS).join(" ")}”`;
}
