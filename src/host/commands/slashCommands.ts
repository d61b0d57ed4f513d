/** Slash commands of the composer. Most run a palette command, the others act on the open conversation. */

import * as vscode from "vscode";
import { assertNever } from "../../core/result.ts";
import type { SlashCommand } from "../../protocol/slashCommand.ts";
import { localize } from "../../protocol/localize.ts";
import type { CommandRunner } from "../editor/commandIds.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { info } from "../words/banners.ts";
import { summarizeNow } from "./summarizeCommand.ts";

/** `argument` is the text after the command's name. */
export async function runSlashCommand(
  command: SlashCommand,
  argument: string,
  session: Session | undefined,
  commands: CommandRunner,
  presenter: Pick<Presenter, "showBanner" | "dropNote">,
): Promise<void> {
  switch (command) {
    case "context":
      return commands.run("forge.showContext");
    case "summarize":
      if (session !== undefined) await summarizeNow(session, presenter, argument === "" ? undefined : argument);
      return;
    case "model":
      return commands.run("forge.switchModel");
    case "new":
      return commands.run("forge.newConversation");
    case "recover":
      return commands.run("forge.recover");
    case "export":
      return commands.run("forge.exportConversation");
    case "find":
      return commands.run("forge.findInConversation", argument);
    case "pin":
      await pinNewest(session, presenter);
      return;
    case "help":
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
      return;
    default:
      assertNever(command);
  }
}

const WALKTHROUGH = "forge-chat.forge#start";

/** Pins the newest visible message of the user. */
async function pinNewest(session: Session | undefined, presenter: Pick<Presenter, "showBanner">): Promise<void> {
  if (session === undefined) return;
  const { history } = session.opened.manager;
  const newest = history.entries.findLast(
    (entry) => entry.role === "user" && entry.batch === undefined && history.isVisible(entry),
  );
  if (newest === undefined) {
    const { revision } = history;
    presenter.showBanner(info(localize("There is no message to pin yet.")), () => history.revision === revision);
    return;
  }
  await session.actions.setPinned(newest.id, true);
}
