/** The usage indicator: always there, neutral below 70 %, warning up to 90 %, error above; a click shows the context. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";

/** What the indicator shows. `severity` is that of `ContextUsage`. */
export interface UsageShown {
  /** "2.1k / 129k (2%) [2S]"; absent before anything is known. */
  readonly text: string | undefined;
  readonly severity: 0 | 1 | 2;
  /** Lines of the tooltip. */
  readonly details: readonly string[];
  /** 0–100 while summarizing. */
  readonly progressPercent?: number;
  /** So many calls of tools wait for the user's word; then a click goes to the chat. */
  readonly waiting?: number;
  /** Something to be said for a while. */
  readonly note?: string;
}

const BACKGROUNDS = [undefined, "statusBarItem.warningBackground", "statusBarItem.errorBackground"] as const;

/** The item `forge.usage`, and beside it, while summaries are made, the one that cancels them. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #cancel: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem("forge.usage", vscode.StatusBarAlignment.Right, 100);
    this.#item.name = localize("Forge: context usage");
    this.#cancel = vscode.window.createStatusBarItem("forge.cancelSummary", vscode.StatusBarAlignment.Right, 99);
    this.#cancel.name = localize("Forge: cancel summarizing");
    this.#cancel.text = "$(close)";
    this.#cancel.tooltip = localize("Cancel summarizing. Nothing is changed.");
    this.#cancel.command = "forge.cancelSummary";
    this.#cancel.accessibilityInformation = { label: localize("Cancel summarizing"), role: "button" };
    this.show({ text: undefined, severity: 0, details: [] });
    this.#item.show();
  }

  /** Replaces what is shown. */
  show(usage: UsageShown): void {
    const figures = usage.text ?? "Forge";
    const isSummarizing = usage.progressPercent !== undefined;
    const isWaiting = (usage.waiting ?? 0) > 0;
    const waiting = localize("Waiting for you");
    const icon = isWaiting ? "question" : isSummarizing ? "sync~spin" : "color-mode";
    const note = isWaiting ? waiting : isSummarizing ? localize("Summarizing {0}%", usage.progressPercent) : usage.note;
    const text = `$(${icon}) ${figures}${note === undefined ? "" : ` · ${note}`}`;
    const details = isWaiting
      ? [localize("A tool waits for your word. A click shows it."), ...usage.details]
      : usage.details;
    if (isSummarizing) this.#cancel.show();
    else this.#cancel.hide();
    const background = BACKGROUNDS[usage.severity];
    this.#item.text = text;
    this.#item.command = isWaiting ? "forge.chat.focus" : "forge.showContext";
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    const label = usage.text === undefined ? "Forge" : localize("Forge context {0}", figures);
    this.#item.tooltip = tooltip(details, isSummarizing);
    this.#item.accessibilityInformation = {
      label: isWaiting ? `${label}, ${waiting}` : label,
      role: "button",
    };
  }

  dispose(): void {
    this.#cancel.dispose();
    this.#item.dispose();
  }
}

/** What fills the context, and what can be done about it without opening anything. */
function tooltip(details: readonly string[], isSummarizing: boolean): vscode.MarkdownString {
  const cancel = { label: localize("Cancel"), command: "forge.cancelSummary" };
  const actions = [
    { label: localize("Summarize"), command: "forge.summarizeContext" },
    { label: localize("Show context"), command: "forge.showContext" },
    { label: localize("Switch model"), command: "forge.switchModel" },
    ...(isSummarizing ? [cancel] : []),
  ];
  const links = actions.map(({ label, command }) => `[${label}](command:${command})`).join(" · ");
  const text = new vscode.MarkdownString(`**${localize("Forge context")}**`);
  // The name of a model comes from its server: no link may come out of it.
  for (const line of details) text.appendMarkdown("\n\n").appendText(line);
  text.appendMarkdown(`\n\n${links}`);
  text.isTrusted = { enabledCommands: actions.map(({ command }) => command) };
  return text;
}
