/** How one conversation is kept within the model's window: a native picker, and a setting of that conversation alone. */

import * as vscode from "vscode";
import { localize } from "../protocol/localize.ts";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";
import type { Settings } from "./settings.ts";
import { chooseStrategy, ownStrategy, strategyItems } from "./strategyChoice.ts";

/** Lets the user choose; acts on the next request. */
export async function pickStrategy(session: Session, presenter: Presenter, settings: Settings): Promise<void> {
  const picked = await vscode.window.showQuickPick(strategyItems(ownStrategy(session), settings.context.strategy), {
    title: localize("Forge: Strategy of This Conversation"),
    placeHolder: localize("Nothing is ever removed from the history"),
    matchOnDetail: true,
  });
  if (picked === undefined) return;
  await chooseStrategy(session, picked.value, (banner) => {
    presenter.showBanner(banner);
  });
}
