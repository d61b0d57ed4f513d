/** Prompts and error messages for renaming, pinning and archiving a conversation. */

import * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { localize } from "../../../protocol/localize.ts";
import { reasonOf } from "../remove/deleteConversation.ts";
import type { Session } from "../../session/session.ts";
import { titleFault } from "../../transcript/title.ts";
import { changeListing, type ListingServices } from "./changeListing.ts";
import { titleInNotification } from "./listedConversations.ts";
import type { ListingChange } from "./listingState.ts";
import { showWarning } from "../../editor/boxes/messages.ts";

export async function renameConversation(session: Session, services: ListingServices): Promise<void> {
  const title = await askForTitle(session.title);
  if (title !== undefined) await changeOrWarn(session.opened, { title }, services);
}

/** `undefined`: dismissed, empty or unchanged. */
export async function askForTitle(title: string): Promise<string | undefined> {
  const given = await vscode.window.showInputBox({
    title: localize("Forge: Rename Conversation"),
    prompt: localize("Forge never changes a title that you gave"),
    value: title,
    validateInput: titleFault,
  });
  const trimmed = given?.trim();
  return trimmed === undefined || trimmed === "" || trimmed === title ? undefined : trimmed;
}

/** Makes the change, or shows why it failed. */
export async function changeOrWarn(
  listing: Pick<ConversationListing, "id" | "folder" | "meta">,
  change: ListingChange,
  services: ListingServices,
): Promise<void> {
  const changed = await changeListing(listing, change, services);
  if (changed.ok) return;
  void showWarning(localize("“{0}” was not changed: {1}.", titleInNotification(listing), reasonOf(changed.error)));
}
