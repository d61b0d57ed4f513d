/**
 * The usage indicator: always visible; neutral below 70 %, a warning up to 90 %, an error above; a click shows the
 * context.
 */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";

/** `severity` is that of `ContextUsage`. */
export interface StatusBarContent {
  /** "2.1k / 129k (2%) [2S]"; `undefined` before anything is known. */
  readonly text: string | undefined;
  readonly severity: 0 | 1 | 2;
  /** Lines of the tooltip. */
  readonly details: readonly string[];
  /** 0–100 while summarizing. */
  readonly progressPercent?: number;
  /** Number of tool calls that await approval; if any, a click shows the question. */
  readonly waiting?: number;
  /** Temporary note. */
  readonly note?: string;
}

const BACKGROUNDS = [undefined, "statusBarItem.warningBackground", "statusBarItem.errorBackground"] as const;

/** The item `forge.usage`, and an item beside it that cancels a running summary. */
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

  show(usage: StatusBarContent): void {
    const figures = usage.text ?? "Forge";
    const isSummarizing = usage.progressPercent !== undefined;
    const isWaiting = (usage.waiting ?? 0) > 0;
    const waiting = localize("Waiting for you");
    const icon = isWaiting ? "question" : isSummarizing ? "sync~spin" : "color-mode";
    const note = isWaiting ? waiting : isSummarizing ? localize("Summarizing {0}%", usage.progressPercent) : usage.note;
    const text = `$(${icon}) ${figures}${note === undefined ? "" : ` · ${note}`}`;
    const details = isWaiting
      ? [localize("A tool is waiting for your approval. Click to show it."), ...usage.details]
      : usage.details;
    if (isSummarizing) this.#cancel.show();
    else this.#cancel.hide();
    const background = BACKGROUNDS[usage.severity];
    this.#item.text = text;
    this.#item.command = isWaiting ? "forge.showQuestion" : "forge.showContext";
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

/** Usage details, with links to the most useful commands. */
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
  // A model's name comes from its server: it must not be able to form a link.
  for (const line of details) text.appendMarkdown("\n\n").appendText(line);
  text.appendMarkdown(`\n\n${links}`);
  text.isTrusted = { enabledCommands: actions.map(({ command }) => command) };
  return text;
}
