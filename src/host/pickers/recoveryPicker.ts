import * as vscode from "vscode";
import { textOf } from "../../core/message.ts";
import type { StepId } from "../../core/ids.ts";
import { stepOfBatch } from "../../core/turn/toolRound.ts";
import { localize } from "../../protocol/localize.ts";
import type { RecoveryChoice } from "../../protocol/toHost.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { ChatViews } from "../view/chatViews.ts";
import { formatAge } from "../words/formatting.ts";
import type { Session } from "../session/session.ts";
import { inList } from "../editor/boxes/inList.ts";
import { onOneLine } from "../tools/hiddenText.ts";

interface Choice extends vscode.QuickPickItem {
  readonly choice: RecoveryChoice;
}

interface Question {
  readonly stepId: StepId;
  readonly title: string;
  readonly placeHolder: string;
  /** Most wanted first. */
  readonly choices: readonly Choice[];
}

/** "Forge: Recover": asks what to do with the oldest interrupted answer, and does it. */
export async function pickRecovery(
  session: Pick<Session, "recoverable" | "recoverableBatch" | "recover">,
  views: Pick<ChatViews, "restoreFocus">,
  keyboard: CommandFocus,
): Promise<void> {
  const question = questionOf(session, Date.now());
  if (question === undefined) {
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
  const { stepId, title, placeHolder, choices } = question;
  const picked = await vscode.window.showQuickPick(inList(choices), { title, placeHolder });
  views.restoreFocus(); // the chat offers the same choice
  if (picked !== undefined) await session.recover(stepId, picked.choice);
}

function questionOf(
  { recoverable, recoverableBatch }: Pick<Session, "recoverable" | "recoverableBatch">,
  nowMs: number,
): Question | undefined {
  const [answer] = recoverable;
  if (answer !== undefined) {
    const title = localize("Forge: Recover an answer (interrupted {0})", formatAge(nowMs - answer.lastAtMs));
    const placeHolder = onOneLine(lastWords(textOf(answer.message)));
    return { stepId: answer.stepId, title, placeHolder, choices: answerChoices() };
  }
  if (recoverableBatch === undefined) return undefined;
  const { calls, lastAtMs } = recoverableBatch;
  const title = localize("Forge: Recover an answer (interrupted {0})", formatAge(nowMs - lastAtMs));
  const done = calls.filter(({ state }) => state === "done").length;
  const placeHolder = localize("{0} of {1} tool calls have ended", done, calls.length);
  return { stepId: stepOfBatch(recoverableBatch), title, placeHolder, choices: toolChoices() };
}

function answerChoices(): readonly Choice[] {
  return [
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
  ];
}

/** As in the chat. */
function toolChoices(): readonly Choice[] {
  return [
    {
      label: `$(debug-continue) ${localize("Resume")}`,
      description: localize("Continue: remaining calls run under your tool rules, and nothing runs twice."),
      choice: "resume",
    },
    {
      label: `$(eye-closed) ${localize("Hide")}`,
      description: localize("Hide this answer. It is kept in the history, and nothing more of it is run."),
      choice: "discard",
    },
  ];
}

/** Number of words that fit into the picker's placeholder. */
const LAST_WORDS = 9;

/** “… and the last words of it”, to identify the answer. */
function lastWords(text: string): string {
  const words = text.trim().split(/\s+/);
  return `“${words.length > LAST_WORDS ? "… " : ""}${words.slice(-LAST_WORDS).join(" ")}”`;
}
