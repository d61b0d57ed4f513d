/**
 * The usage indicator: always visible; neutral below 70 %, a warning up to 90 %, an error above; a click shows the
 * context.
 */

import * as vscode from "vscode";
import type { SummaryProgressView } from "../../protocol/summaryView.ts";
import { localize } from "../../protocol/localize.ts";
import { nextChangeMs, timeLeft, timeOfDay } from "../../protocol/waitTime.ts";

/** `severity` is that of `ContextUsage`. */
export interface StatusBarContent {
  /** "2.1k / 129k (2%) [2S]"; `undefined` before anything is known. */
  readonly text: string | undefined;
  readonly severity: 0 | 1 | 2;
  /** Lines of the tooltip. */
  readonly details: readonly string[];
  /** While summarizing. */
  readonly progress?: SummaryProgressView;
  /** Number of questions that wait for the user; if any, a click shows the first. */
  readonly waiting?: number;
  /** Temporary note. */
  readonly note?: string;
  /** When the service can be asked again; counted down until then. */
  readonly retryAtMs?: number;
}

const BACKGROUNDS = [undefined, "statusBarItem.warningBackground", "statusBarItem.errorBackground"] as const;

/** The item `forge.usage`, and an item beside it that cancels a running summary. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #cancel: vscode.StatusBarItem;
  #countdown: ReturnType<typeof setTimeout> | undefined;
  #shown: StatusBarContent = { text: undefined, severity: 0, details: [] };
  /** Where questions wait in other windows, in sentences. */
  #elsewhere: readonly string[] = [];

  constructor() {
    this.#item = vscode.window.createStatusBarItem("forge.usage", vscode.StatusBarAlignment.Right, 100);
    this.#item.name = localize("Forge: context usage");
    this.#cancel = vscode.window.createStatusBarItem("forge.cancelSummary", vscode.StatusBarAlignment.Right, 99);
    this.#cancel.name = localize("Forge: cancel summarizing");
    this.#cancel.text = "$(close)";
    this.#cancel.tooltip = localize("Cancel summarizing. Nothing is changed.");
    this.#cancel.command = "forge.cancelSummary";
    this.#cancel.accessibilityInformation = { label: localize("Cancel summarizing"), role: "button" };
    this.show(this.#shown);
    this.#item.show();
  }

  /** Also shown while no conversation is open here; a click tells the same. */
  showElsewhere(sentences: readonly string[]): void {
    this.#elsewhere = sentences;
    this.show(this.#shown);
  }

  show(usage: StatusBarContent): void {
    clearTimeout(this.#countdown);
    this.#shown = usage;
    const figures = usage.text ?? "Forge";
    const isSummarizing = usage.progress !== undefined;
    const isWaitingHere = (usage.waiting ?? 0) > 0;
    const isWaiting = isWaitingHere || this.#elsewhere.length > 0;
    const waiting = isWaitingHere ? localize("Waiting for you") : localize("Waiting for you in another window");
    const icon = isWaiting ? "question" : isSummarizing ? "sync~spin" : "color-mode";
    const retry = this.#retryOf(usage);
    const note = isWaiting
      ? waiting
      : usage.progress !== undefined
        ? progressNote(usage.progress)
        : (usage.note ?? retry?.counting);
    const text = `$(${icon}) ${figures}${note === undefined ? "" : ` · ${note}`}`;
    const here = isWaitingHere ? [localize("A question is waiting for you. Click to show it.")] : [];
    const details = [...here, ...this.#elsewhere, ...usage.details];
    if (isSummarizing) this.#cancel.show();
    else this.#cancel.hide();
    const background = BACKGROUNDS[usage.severity];
    this.#item.text = text;
    this.#item.command = isWaiting ? "forge.showQuestion" : "forge.showContext";
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    const label = usage.text === undefined ? "Forge" : localize("Forge context {0}", figures);
    this.#item.tooltip = tooltip(details, isSummarizing);
    this.#item.accessibilityInformation = {
      // Without the seconds: a screen reader would read them again and again.
      label: isWaiting ? `${label}, ${waiting}` : retry === undefined ? label : `${label}, ${retry.time}`,
      role: "button",
    };
  }

  /** Counts down by showing `usage` again when the words change. */
  #retryOf(usage: StatusBarContent): { readonly counting: string; readonly time: string } | undefined {
    const nowMs = Date.now();
    const leftMs = (usage.retryAtMs ?? 0) - nowMs;
    const nextMs = nextChangeMs(leftMs);
    if (usage.retryAtMs === undefined || nextMs === undefined) return undefined;
    this.#countdown = setTimeout(() => {
      this.show(usage);
    }, nextMs);
    const time = timeOfDay(usage.retryAtMs, nowMs);
    return {
      counting: localize("again at {0}, {1}", time, timeLeft(leftMs)),
      time: localize("it can be tried again at {0}", time),
    };
  }

  dispose(): void {
    clearTimeout(this.#countdown);
    this.#cancel.dispose();
    this.#item.dispose();
  }
}

function progressNote({ percent, partsDone, parts }: SummaryProgressView): string {
  return parts === 1
    ? localize("Summarizing {0}%", percent)
    : localize("Summarizing {0}%, {1} of {2} parts", percent, partsDone, parts);
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
