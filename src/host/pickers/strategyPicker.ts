/** Pickers for the compaction strategy of one conversation. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { CONTEXT_POLICIES, type ContextPolicy } from "../../core/context/contextSettings.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../editor/settings.ts";
import { chooseStrategy, conversationStrategy, STRATEGY_TEXTS, strategyItems } from "./strategyChoice.ts";
import { inList } from "../editor/boxes/inList.ts";

export async function pickStrategy(session: Session, settings: Settings, keyboard: CommandFocus): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    inList(strategyItems(conversationStrategy(session), settings.context.strategy)),
    {
      title: localize("Forge: Strategy of This Conversation"),
      placeHolder: localize("Nothing is ever removed from the history"),
      matchOnDetail: true,
    },
  );
  keyboard.afterPrompt();
  if (picked === undefined) return;
  await chooseStrategy(session, picked.value);
}

/** Picks a strategy for a preview; nothing changes. */
export async function pickStrategyForPreview(shown: ContextPolicy): Promise<ContextPolicy | undefined> {
  const items = CONTEXT_POLICIES.map((value) => {
    const [label, detail] = STRATEGY_TEXTS[value];
    return { label, detail, value, ...(value === shown ? { description: "shown" } : {}) };
  });
  const picked = await vscode.window.showQuickPick(inList(items), {
    title: localize("Forge: Preview Another Strategy"),
    placeHolder: localize("Nothing is sent or changed"),
    matchOnDetail: true,
  });
  return picked?.value;
}
