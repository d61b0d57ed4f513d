/** The menu behind the indicator: what fills the context, and what can be done about it. */

import * as vscode from "vscode";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";
import { budgetLine, certaintyOf, usageLines } from "./sessionStatus.ts";
import type { Settings } from "./settings.ts";
import type { Spending } from "./spending.ts";
import { spendingLines } from "./spendingWords.ts";
import { ownStrategy, STRATEGY_WORDS } from "./strategyChoice.ts";
import { pickStrategy } from "./strategyPicker.ts";
import { toolsText } from "./toolWords.ts";
import { pickWish, wishText, type Wish } from "./wishes.ts";

interface MenuItem extends vscode.QuickPickItem {
  readonly command?: string;
  readonly picksStrategy?: true;
  readonly wish?: Wish;
}

/** What the menu needs beside the conversation. */
export interface UsageMenuWorld {
  readonly presenter: Presenter;
  readonly spending: Spending;
  readonly settings: () => Settings;
}

/** Shows the figures of the open conversation and runs what is picked. */
export async function showUsageMenu(session: Session, world: UsageMenuWorld): Promise<void> {
  const { presenter, spending } = world;
  const settings = world.settings();
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
      description: `${session.connection.model} (${session.connection.why.toLowerCase()})`,
      command: "forge.switchModel",
    },
    {
      label: "$(layers) Strategy",
      description: `${STRATEGY_WORDS[manager.policy][0]}${ownStrategy(session) === "" ? "" : ", for this conversation"}`,
      picksStrategy: true,
    },
    {
      label: "$(lightbulb) Reasoning effort",
      description: wishText("reasoningEffort", manager.history, settings),
      wish: "reasoningEffort",
    },
    {
      label: "$(list-flat) Answer length",
      description: wishText("answerLength", manager.history, settings),
      wish: "answerLength",
    },
    {
      label: "$(tools) Tools",
      description: toolsText(session.tools, session.connection.model, vscode.workspace.isTrusted),
      command: "forge.chooseTools",
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
    { label: "What it costs", kind: vscode.QuickPickItemKind.Separator },
    ...spendingLines(manager.history.spending.total, await spending.soFar(), settings.spending).map((label) => ({
      label: `$(circle-small-filled) ${label}`,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: "Forge: Context",
    placeHolder: `${usage.formatCompact()}. ${certaintyOf(usage)}`,
  });
  if (picked?.picksStrategy === true) await pickStrategy(session, presenter, settings);
  if (picked?.wish !== undefined) await pickWish(picked.wish, session, presenter, settings);
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}
