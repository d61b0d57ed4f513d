/** How one conversation is kept within the model's window: a native picker, and a setting of that conversation alone. */

import * as vscode from "vscode";
import type { ContextPolicy } from "../core/context/contextSettings.ts";
import { explain } from "./explain.ts";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";
import type { Settings } from "./settings.ts";

/** A strategy's name and what it does, for people. */
export const STRATEGY_WORDS: Readonly<Record<ContextPolicy, readonly [label: string, detail: string]>> = {
  pipeline: ["Pipeline", "The steps of the setting, one after another, until it fits"],
  toolCalls: ["Tool calls", "Only old tool calls are summarized"],
  threshold: ["Threshold", "Only the oldest turns are summarized, from a share of the window on"],
  goalBatch: ["Goals", "Only small old turns are joined into what was wanted and what came of it"],
  sandwich: ["Sandwich", "The first and the last five messages stay as they are; the middle is one summary"],
  archive: ["Archive", "Everything but the newest messages becomes one working memory, written by the main model"],
  tree: ["Tree", "Summaries of fixed chunks, then summaries of those"],
  slidingWindow: ["Sliding window", "Only the newest messages are sent; older ones stay in the history"],
  fullHistory: ["Full history", "Everything is sent as it is; when it no longer fits, you are told"],
};

interface StrategyItem extends vscode.QuickPickItem {
  /** Empty: as in the settings. */
  readonly value: string;
}

/** Lets the user choose; acts on the next request. */
export async function pickStrategy(session: Session, presenter: Presenter, settings: Settings): Promise<void> {
  const { manager, store } = session.opened;
  const own = manager.history.setting("strategy") ?? "";
  const items: readonly StrategyItem[] = [
    { label: "As in the settings", detail: STRATEGY_WORDS[settings.context.strategy][0], value: "" },
    ...Object.entries(STRATEGY_WORDS).map(([value, [label, detail]]) => ({ label, detail, value })),
  ].map((item) => (item.value === own ? { ...item, description: "in use" } : item));
  const picked = await vscode.window.showQuickPick(items, {
    title: "Forge: Strategy of This Conversation",
    placeHolder: "Nothing is ever removed from the history",
    matchOnDetail: true,
  });
  if (picked === undefined || picked.value === own) return;
  const isDone = await session.summarizing(async () => {
    const record = { kind: "setting", name: "strategy", value: picked.value, atMs: Date.now() } as const;
    const committed = await store.commit([{ kind: "record", record }]);
    if (committed.ok) manager.apply(record);
    else presenter.showBanner(explain(committed.error, ""));
  });
  if (!isDone) {
    presenter.showBanner({
      tone: "info",
      text: "The strategy can be changed when this answer has ended.",
      actions: [],
    });
  }
}
