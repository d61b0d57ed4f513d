/** Deletes conversations: moves them to the trash, with an undo. */

import * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { moveToTrash, restoreFromTrash } from "../../../adapters/node/trash.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { localize } from "../../../protocol/localize.ts";
import type { BugReporter } from "../../editor/bugReporter.ts";
import type { Conversations } from "../conversations.ts";
import { failureReason } from "../../words/explain.ts";
import { titleInNotification } from "../list/listedConversations.ts";
import { listingItem } from "../list/listingItem.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import { inList } from "../../editor/boxes/inList.ts";

/** "Forge: Delete Conversation": picks one, with the open one first. */
export async function pickToDelete(conversations: Conversations, bugs: BugReporter): Promise<void> {
  const title = localize("Forge: Delete Conversation");
  const current = conversations.session?.opened.id;
  const listed = await conversations.list();
  if (listed.length === 0) {
    await vscode.window.showQuickPick(
      inList([{ label: `$(check) ${localize("There is no conversation to delete")}` }]),
      {
        title,
      },
    );
    return;
  }
  const open = listed.filter(({ id }) => id === current);
  const others = listed.filter(({ id }) => id !== current);
  const picked = await vscode.window.showQuickPick(
    inList([...open, ...others].map((listing) => listingItem(listing, listing.id === current))),
    { title, placeHolder: localize("It goes to the trash and can be taken back from there"), matchOnDescription: true },
  );
  if (picked !== undefined) await deleteConversation(picked.listing, conversations, bugs);
}

/**
 * Resolves when the conversation is in the trash; the offer to undo stays. If it was open here, a new one replaces it.
 * One that is open in another window is not deleted, and a warning says why.
 */
export async function deleteConversation(
  listing: ConversationListing,
  conversations: Conversations,
  bugs: BugReporter,
): Promise<void> {
  const name = localize("“{0}”", titleInNotification(listing));
  const wasOpen = conversations.session?.opened.id === listing.id;
  const moved = await conversations.whileClosed(listing.id, () => moveToTrash(listing.id, conversations.places));
  if (!moved.ok) {
    void showWarning(notDeletedText(name, moved.error));
    return;
  }
  conversations.index.forget([listing.id]).catch(bugs.report);
  offerUndo(listing, wasOpen, conversations).catch(bugs.report);
}

async function offerUndo(listing: ConversationListing, wasOpen: boolean, conversations: Conversations): Promise<void> {
  const answer = await showInformation(localize("“{0}” was moved to the trash.", titleInNotification(listing)), UNDO);
  if (answer !== UNDO) return;
  const isRestored = await restoreConversation(listing, conversations);
  if (isRestored && wasOpen) await conversations.openExisting(listing.id);
}

/** Moves a conversation back from the trash; on failure shows why, and resolves to false. */
export async function restoreConversation(
  listing: ConversationListing,
  conversations: Conversations,
): Promise<boolean> {
  const restored = await restoreFromTrash(listing.id, conversations.places);
  if (!restored.ok) {
    const why = isGone(restored.error) ? localize("it is not in the trash any more") : reasonOf(restored.error);
    void showWarning(localize("“{0}” could not be taken back: {1}.", titleInNotification(listing), why));
  }
  return restored.ok;
}

/** The reason of a failure, as the end of a sentence without its full stop. */
export function reasonOf(error: ForgeError): string {
  switch (error.code) {
    case "CONVERSATION_IN_USE":
      return error.owner === "alive"
        ? localize("it is open in another window. Close it there first")
        : localize("it was last open on {0}, and may still be open there. Open it here first", error.host);
    case "STORAGE_FAILED":
      return localize("the system says: {0}", error.detail);
    default:
      return failureReason(error, "");
  }
}

const UNDO = localize("Undo");

function notDeletedText(name: string, error: ForgeError): string {
  return isGone(error)
    ? localize("{0} is not there any more.", name)
    : localize("{0} was not deleted: {1}.", name, reasonOf(error));
}

function isGone(error: ForgeError): boolean {
  return error.code === "STORAGE_FAILED" && error.reason === "fileGone";
}
