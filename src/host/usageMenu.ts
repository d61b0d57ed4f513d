/** The menu behind the indicator: what fills the context, and what can be done about it. */

import * as vscode from "vscode";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";
import { budgetLine, certaintyOf, usageLines } from "./sessionStatus.ts";
import type { Settings } from "./settings.ts";
import { ownStrategy, STRATEGY_WORDS } from "./strategyChoice.ts";
import { pickStrategy } from "./strategyPicker.ts";

interface MenuItem extends vscode.QuickPickItem {
  readonly command?: string;
  readonly picksStrategy?: true;
}

/** Shows the figures of the open conversation and runs what is picked. */
export async function showUsageMenu(session: Session, presenter: Presenter, settings: Settings): Promise<void> {
  const { manager } = session.opened;
  const usage = manager.usage();
  const interrupted = session.undecided.length;
  const items: MenuItem[] = [
    { label: "What to do", kind: vscode.QuickPickItemKind.Separator },
    {
      label: "$(fold) Summarize context",
      description: "Make room now; the originals are kept",
      command: "forge.summarizeContext",
    },
    {
      label: "$(server-environment) Switch model",
      description: session.connection.model,
      command: "forge.switchModel",
    },
    {
      label: "$(layers) Strategy",
      description: `${STRATEGY_WORDS[manager.policy][0]}${ownStrategy(session) === "" ? "" : ", for this conversation"}`,
      picksStrategy: true,
    },
    {
      label: "$(history) Recover",
      description: interrupted === 0 ? "No interrupted answer" : "An interrupted answer waits for you",
      command: "forge.recover",
    },
    { label: "$(comment-discussion) Conversations", command: "forge.openConversation" },
    { label: `What fills the context: ${usage.formatCompact()}`, kind: vscode.QuickPickItemKind.Separator },
    ...usageLines(usage).map((label) => ({ label: `$(circle-small-filled) ${label}` })),
    { label: `$(circle-small-filled) ${budgetLine(manager)}` },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: "Forge: Context",
    placeHolder: `${usage.formatCompact()}. ${certaintyOf(usage)}`,
  });
  if (picked?.picksStrategy === true) await pickStrategy(session, presenter, settings);
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}
