/**
 * The chat in the other side bar. The view stays `forge.chat`, and the editor remembers its place as if it had been
 * dragged there: a second view for the secondary side bar would be nowhere in an editor that keeps that bar to itself.
 */

import * as vscode from "vscode";

/** Containers of the manifest by the ids that the editor gives them; each is also the command that opens it. */
const CONTAINERS = {
  primary: "workbench.view.extension.forge",
  secondary: "workbench.view.extension.forgeSecondary",
} as const;

/** Both, so that the icon carries what waits for the user also before the chat was opened there. */
const VIEWS = ["forge.chat", "forge.waiting"];

/** Moves the chat, and focuses it. Where the editor has no such side bar, it asks for another place itself. */
export async function moveChat(to: keyof typeof CONTAINERS): Promise<void> {
  const destinationId = CONTAINERS[to];
  const known = await vscode.commands.getCommands();
  if (known.includes(destinationId)) {
    await vscode.commands.executeCommand("vscode.moveViews", { viewIds: VIEWS, destinationId });
  } else {
    await vscode.commands.executeCommand("workbench.action.moveFocusedView", "forge.chat");
  }
}
