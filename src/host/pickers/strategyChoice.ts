/** The compaction strategy of one conversation: its choices as texts, and its setting. */

import { CONTEXT_POLICIES, type ContextPolicy, type ContextSettings } from "../../core/context/contextSettings.ts";
import {
  isParameterValue,
  ownParameter,
  parameterSetting,
  STRATEGY_PARAMETER_NAMES,
  STRATEGY_PARAMETERS,
  STRATEGY_SETTING,
  type StrategyParameterName,
} from "../../core/context/strategyParameters.ts";
import { localize } from "../../protocol/localize.ts";
import type { Session } from "../session/session.ts";
import { STRATEGY_LABELS } from "../words/strategyNames.ts";

export const STRATEGY_DETAILS: Readonly<Record<ContextPolicy, string>> = {
  pipeline: localize("The steps of the setting, one after another, until it fits"),
  toolCalls: localize("Only old tool calls are summarized"),
  threshold: localize("Only the oldest turns are summarized, from a share of the budget on"),
  goalBatch: localize("Only small old turns are merged into goals and outcomes"),
  sandwich: localize("The beginning and the end stay as they are; the middle is one summary"),
  archive: localize("Everything but the newest messages becomes one working memory, written by the main model"),
  tree: localize("Summaries of fixed chunks, then summaries of those"),
  slidingWindow: localize("Only the newest messages are sent; older ones stay in the history"),
  fullHistory: localize("Everything is sent as it is; when it no longer fits, you are told"),
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
    { label: localize("As in the settings"), detail: STRATEGY_LABELS[fromSettings], value: "" },
    ...CONTEXT_POLICIES.map((value) => ({ label: STRATEGY_LABELS[value], detail: STRATEGY_DETAILS[value], value })),
  ];
  return items.map((item) => (item.value === own ? { ...item, description: localize("in use") } : item));
}

/** The strategy chosen for this conversation; empty: it follows the settings. */
export function conversationStrategy(session: Session): string {
  return session.opened.manager.history.setting(STRATEGY_SETTING) ?? "";
}

/** Takes effect with the next request. During a turn nothing changes, and a banner says why. */
export async function chooseStrategy(session: Session, value: StrategyItem["value"]): Promise<void> {
  if (value === conversationStrategy(session)) return;
  await session.setSetting(STRATEGY_SETTING, value, BUSY);
}

const BUSY = localize("The strategy can be changed when this answer has ended.");

/** In the order of the strategy's list. */
export const PARAMETER_TEXTS: Readonly<Record<StrategyParameterName, string>> = {
  "sandwich.top": localize("Messages at the beginning"),
  "sandwich.bottom": localize("Messages at the end"),
  "sandwich.thresholdPercent": localize("Summarizes the middle from this percentage of the budget"),
  "archive.thresholdPercent": localize("Summarizes from this percentage of the budget"),
  "tree.chunkTokens": localize("Most tokens of a summary's originals"),
  "tree.levels": localize("Levels of summaries"),
  "slidingWindow.last": localize("Messages that are sent"),
};

export interface ParameterItem {
  readonly label: string;
  readonly description: string;
  readonly parameter: StrategyParameterName;
}

/** The parameters of the strategies in use in a conversation, with what holds there. */
export function parameterItems(
  session: Session,
  { strategy, pipeline, parameters }: ContextSettings,
): readonly ParameterItem[] {
  const names: readonly string[] = strategy === "pipeline" ? pipeline : [strategy];
  const inUse = STRATEGY_PARAMETER_NAMES.filter((name) => names.includes(name.slice(0, name.indexOf("."))));
  return inUse.map((parameter) => {
    const value = String(parameters[parameter]);
    const isOwn = ownValue(parameter, session) !== undefined;
    return {
      label: PARAMETER_TEXTS[parameter],
      description: isOwn ? localize("{0}, for this conversation", value) : localize("{0}, as in the settings", value),
      parameter,
    };
  });
}

/** The conversation's own value; `undefined`: it follows the settings. */
export function ownValue(parameter: StrategyParameterName, { opened }: Session): number | undefined {
  return ownParameter(parameter, (name) => opened.manager.history.setting(name));
}

/** Why `typed` cannot be the value of a parameter; `undefined` if it can. Nothing typed: as in the settings. */
export function parameterFault(parameter: StrategyParameterName, typed: string): string | undefined {
  const { least, most } = STRATEGY_PARAMETERS[parameter];
  if (typed === "" || (/^\d+$/u.test(typed) && isParameterValue(parameter, Number(typed)))) return undefined;
  return localize("A whole number from {0} to {1}, or nothing for that of the settings.", String(least), String(most));
}

/** Takes effect with the next request. `typed` is valid. */
export async function setParameter(session: Session, parameter: StrategyParameterName, typed: string): Promise<void> {
  const value = typed === "" ? "" : String(Number(typed));
  if (value === String(ownValue(parameter, session) ?? "")) return;
  await session.setSetting(parameterSetting(parameter), value, BUSY);
}
