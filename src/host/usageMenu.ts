/** The menu behind the indicator: what fills the context, and what can be done about it. */

import * as vscode from "vscode";
import type { Session } from "./session.ts";
import { budgetLine, usageLines } from "./sessionStatus.ts";

interface MenuItem extends vscode.QuickPickItem {
  readonly command?: string;
}

/** Shows the figures of the open conversation and runs what is picked. */
export async function showUsageMenu(session: Session): Promise<void> {
  const usage = session.opened.manager.usage();
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
      label: "$(history) Recover",
      description: interrupted === 0 ? "No interrupted answer" : "An interrupted answer waits for you",
      command: "forge.recover",
    },
    { label: "$(comment-discussion) Conversations", command: "forge.openConversation" },
    { label: `What fills the context: ${usage.formatCompact()}`, kind: vscode.QuickPickItemKind.Separator },
    ...usageLines(usage).map((label) => ({ label: `$(circle-small-filled) ${label}` })),
    { label: `$(circle-small-filled) ${budgetLine(session.opened.manager)}` },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: "Forge: Context",
    placeHolder: `${usage.formatCompact()}, ${usage.isMeasured ? "measured by the provider" : "estimated"}`,
  });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}
