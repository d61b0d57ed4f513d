/** How one conversation is kept within the model's window: the choices in words, and making one. */

import { CONTEXT_POLICIES, type ContextPolicy } from "../../core/context/contextSettings.ts";
import type { Presenter } from "../session/presenter.ts";
import { localize } from "../../protocol/localize.ts";
import { keepOwnSetting } from "../session/conversationSetting.ts";
import type { Session } from "../session/session.ts";

/** A strategy's name and what it does, for people. */
export const STRATEGY_WORDS: Readonly<Record<ContextPolicy, readonly [label: string, detail: string]>> = {
  pipeline: [localize("Pipeline"), localize("The steps of the setting, one after another, until it fits")],
  toolCalls: [localize("Tool calls"), localize("Only old tool calls are summarized")],
  threshold: [localize("Threshold"), localize("Only the oldest turns are summarized, from a share of the budget on")],
  goalBatch: [localize("Goals"), localize("Only small old turns are joined into what was wanted and what came of it")],
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

/** A choice that is offered. */
export interface StrategyItem {
  readonly label: string;
  readonly detail: string;
  /** Says which one is in use. */
  readonly description?: string;
  /** Empty: as in the settings. */
  readonly value: ContextPolicy | "";
}

/** What can be chosen for a conversation; the first is to go by the settings, which name `fromSettings`. */
export function strategyItems(own: string, fromSettings: ContextPolicy): readonly StrategyItem[] {
  const items: readonly StrategyItem[] = [
    { label: localize("As in the settings"), detail: STRATEGY_WORDS[fromSettings][0], value: "" },
    ...CONTEXT_POLICIES.map((value) => ({ label: STRATEGY_WORDS[value][0], detail: STRATEGY_WORDS[value][1], value })),
  ];
  return items.map((item) => (item.value === own ? { ...item, description: localize("in use") } : item));
}

/** What a conversation was told to use; empty: nothing, it goes by the settings. */
export function ownStrategy(session: Session): string {
  return session.opened.manager.history.setting(STRATEGY) ?? "";
}

/** Stores the choice; it acts on the next request. While something runs nothing changes, and the user is told. */
export async function chooseStrategy(
  session: Session,
  value: StrategyItem["value"],
  presenter: Pick<Presenter, "showBanner">,
): Promise<void> {
  if (value === ownStrategy(session)) return;
  const busyText = localize("The strategy can be changed when this answer has ended.");
  const isKept = await keepOwnSetting({ name: STRATEGY, value, busyText }, session, (banner) => {
    presenter.showBanner(banner);
  });
  if (isKept) session.summaries.automatic.strategyChanged();
}

/** The setting of one conversation that names its strategy. */
const STRATEGY = "strategy";
