/** "Forge: Recover": the choice about an interrupted answer, as a native picker. */

import * as vscode from "vscode";
import { textOf } from "../core/message.ts";
import type { LeftoverStep } from "../core/journal/recover.ts";
import { formatAge } from "./rows.ts";
import type { Session } from "./session.ts";

/** Asks what becomes of the oldest interrupted answer, and does it. */
export async function pickRecovery(session: Session): Promise<void> {
  const [leftover] = session.undecided;
  if (leftover === undefined) {
    await vscode.window.showQuickPick(
      [{ label: "$(check) Nothing to recover", description: "Every answer is whole." }],
      {
        title: "Forge: Recover",
      },
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(
    [
      { label: "$(debug-continue) Continue", description: "Keep it, and let the model go on", choice: "continue" },
      { label: "$(check) Keep", description: "It becomes a message as it is", choice: "keep" },
      { label: "$(refresh) Ask again", description: "Keep it hidden, and send the question anew", choice: "askAgain" },
    ] as const,
    { title: "Forge: Recover", placeHolder: describe(leftover, Date.now()) },
  );
  if (picked !== undefined) await session.recover(leftover.stepId, picked.choice);
}

/** “…and the last words of it”, interrupted 2 min ago. */
function describe(leftover: LeftoverStep, nowMs: number): string {
  const tail = textOf(leftover.message).replace(/\s+/g, " ").slice(-80);
  return `“…${tail}”, interrupted ${formatAge(nowMs - leftover.lastAtMs)}. Everything you saw is kept.`;
}
