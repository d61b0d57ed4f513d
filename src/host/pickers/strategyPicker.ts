/** Pickers for the compaction strategy of one conversation. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { CONTEXT_POLICIES, type ContextPolicy } from "../../core/context/contextSettings.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../editor/settings.ts";
import type { StrategyParameterName } from "../../core/context/strategyParameters.ts";
import {
  chooseStrategy,
  conversationStrategy,
  ownValue,
  PARAMETER_TEXTS,
  parameterFault,
  parameterItems,
  setParameter,
  STRATEGY_DETAILS,
  strategyItems,
  type ParameterItem,
  type StrategyItem,
} from "./strategyChoice.ts";
import { inList } from "../editor/boxes/inList.ts";
import { STRATEGY_LABELS } from "../words/strategyNames.ts";

export async function pickStrategy(session: Session, settings: Settings, keyboard: CommandFocus): Promise<void> {
  const inUse = session.opened.manager.settings;
  const parameters = parameterItems(session, inUse);
  const items: readonly PickerItem[] = [
    ...strategyItems(conversationStrategy(session), settings.context.strategy),
    ...(parameters.length === 0
      ? []
      : [
          {
            label: localize("“{0}” in this conversation", STRATEGY_LABELS[inUse.strategy]),
            kind: vscode.QuickPickItemKind.Separator,
          },
        ]),
    ...parameters.map((item) => ({ ...item, label: `$(settings-gear) ${item.label}` })),
  ];
  const picked = await vscode.window.showQuickPick(inList(items), {
    title: localize("Forge: Strategy of This Conversation"),
    placeHolder: localize("Nothing is ever removed from the history"),
    matchOnDetail: true,
  });
  if (picked?.parameter !== undefined) await askForParameter(picked.parameter, session, settings);
  keyboard.afterPrompt();
  if (picked?.value !== undefined) await chooseStrategy(session, picked.value);
}

type PickerItem = vscode.QuickPickItem & Partial<Pick<StrategyItem, "value"> & Pick<ParameterItem, "parameter">>;

async function askForParameter(
  parameter: StrategyParameterName,
  session: Session,
  { context: { parameters } }: Settings,
): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: localize("Forge: {0}", PARAMETER_TEXTS[parameter]),
    prompt: localize("For this conversation. Nothing: as in the settings, {0}.", parameters[parameter]),
    value: String(ownValue(parameter, session) ?? ""),
    placeHolder: String(parameters[parameter]),
    validateInput: (value) => parameterFault(parameter, value.trim()),
  });
  if (typed !== undefined) await setParameter(session, parameter, typed.trim());
}

/** Picks a strategy for a preview; nothing changes. */
export async function pickStrategyForPreview(shown: ContextPolicy): Promise<ContextPolicy | undefined> {
  const items = CONTEXT_POLICIES.map((value) => ({
    ...{ label: STRATEGY_LABELS[value], detail: STRATEGY_DETAILS[value], value },
    ...(value === shown ? { description: localize("shown") } : {}),
  }));
  const picked = await vscode.window.showQuickPick(inList(items), {
    title: localize("Forge: Preview Another Strategy"),
    placeHolder: localize("Nothing is sent or changed"),
    matchOnDetail: true,
  });
  return picked?.value;
}
