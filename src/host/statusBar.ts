/** The usage indicator: always there, neutral below 70 %, warning up to 90 %, error above; a click opens the menu. */

import * as vscode from "vscode";

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
}

const BACKGROUNDS = [undefined, "statusBarItem.warningBackground", "statusBarItem.errorBackground"] as const;

const WAITING = "Waiting for you";

/** The item `forge.usage`. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem("forge.usage", vscode.StatusBarAlignment.Right, 100);
    this.#item.name = "Forge: context usage";
    this.show({ text: undefined, severity: 0, details: [] });
    this.#item.show();
  }

  /** Replaces what is shown. */
  show(usage: UsageShown): void {
    const figures = usage.text ?? "Forge";
    const isWaiting = (usage.waiting ?? 0) > 0;
    const text = isWaiting
      ? `$(question) ${figures} · ${WAITING}`
      : usage.progressPercent === undefined
        ? `$(color-mode) ${figures}`
        : `$(sync~spin) ${figures} · Summarizing ${usage.progressPercent}%`;
    const details = isWaiting ? ["A tool waits for your word. A click shows it.", ...usage.details] : usage.details;
    const background = BACKGROUNDS[usage.severity];
    this.#item.text = text;
    this.#item.command = isWaiting ? "forge.chat.focus" : "forge.showContext";
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    this.#item.tooltip = new vscode.MarkdownString(["**Forge context**", ...details].join("\n\n"));
    this.#item.accessibilityInformation = {
      label: (usage.text === undefined ? "Forge" : `Forge context ${figures}`) + (isWaiting ? `, ${WAITING}` : ""),
      role: "button",
    };
  }

  dispose(): void {
    this.#item.dispose();
  }
}
