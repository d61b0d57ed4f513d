/** The compaction strategy of one conversation: its choices as texts, and its setting. */

import { CONTEXT_POLICIES, type ContextPolicy } from "../../core/context/contextSettings.ts";
import { localize } from "../../protocol/localize.ts";
import type { Session } from "../session/session.ts";

export const STRATEGY_TEXTS: Readonly<Record<ContextPolicy, readonly [label: string, detail: string]>> = {
  pipeline: [localize("Pipeline"), localize("The steps of the setting, one after another, until it fits")],
  toolCalls: [localize("Tool calls"), localize("Only old tool calls are summarized")],
  threshold: [localize("Threshold"), localize("Only the oldest turns are summarized, from a share of the budget on")],
  goalBatch: [localize("Goals"), localize("Only small old turns are merged into goals and outcomes")],
  sandwich: [
    localize("Sandwich"),
    localize("The first and the last five messages stay as they are; the middle is one summary"),
  ],
  archive: [
    localize("Archive"),
    localize("Everything but the newest messages becomes one working memory, written by the main model"),
  ],
  tree: [localize("Tree"), localize("Summaries of fixed chunks, then summaries of those")],
  slidingWindow: [
    localize("Sliding window"),
    localize("Only the newest messages are sent; older ones stay in the history"),
  ],
  fullHistory: [
    localize("Full history"),
    localize("Everything is sent as it is; when it no longer fits, you are told"),
  ],
};

export interface StrategyItem {
  readonly label: string;
  readonly detail: string;
  /** Marks the item in use. */
  readonly description?: string;
  /** Empty: as in the settings. */
  readonly value: ContextPolicy | "";
}

/** All choices; the first is to follow the settings, whose strategy is `fromSettings`. */
export function strategyItems(own: string, fromSettings: ContextPolicy): readonly StrategyItem[] {
  const items: readonly StrategyItem[] = [
    { label: localize("As in the settings"), detail: STRATEGY_TEXTS[fromSettings][0], value: "" },
    ...CONTEXT_POLICIES.map((value) => ({ label: STRATEGY_TEXTS[value][0], detail: STRATEGY_TEXTS[value][1], value })),
  ];
  return items.map((item) => (item.value === own ? { ...item, description: localize("in use") } : item));
}

/** The strategy chosen for this conversation; empty: it follows the settings. */
export function conversationStrategy(session: Session): string {
  return session.opened.manager.history.setting(STRATEGY) ?? "";
}

/** Takes effect with the next request. During a turn nothing changes, and a banner says why. */
export async function chooseStrategy(session: Session, value: StrategyItem["value"]): Promise<void> {
  if (value === conversationStrategy(session)) return;
  await session.setSetting(STRATEGY, value, localize("The strategy can be changed when this answer has ended."));
}

/** Name of the conversation setting. */
const STRATEGY = "strategy";
