/** "Forge: Open Conversation": all conversations in a native picker, the last used first. */

import * as vscode from "vscode";
import type { ConversationId } from "../core/ids.ts";
import type { Conversations } from "./conversations.ts";
import { deleteConversation, type DeletingWorld } from "./deleteConversation.ts";
import { listingItem, separator, type ListingItem } from "./listingItem.ts";
import { pickFromList } from "./pickFromList.ts";
import { pickFromTrash } from "./trashPicker.ts";

type Choice = { readonly kind: "new" | "trash" } | { readonly kind: "open" | "rescue"; readonly id: ConversationId };

interface FixedItem extends vscode.QuickPickItem {
  readonly choice: Choice;
}

const DELETE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Delete" };
const RESCUE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("tools"), tooltip: "Rescue what can be read" };

/** Lets the user pick a conversation and opens it; each can be deleted from the list, and a broken one rescued. */
export async function pickConversation(
  world: DeletingWorld & {
    /** Puts the focus into the composer. */
    readonly focus: () => void;
  },
): Promise<void> {
  const { conversations } = world;
  const choice = await pickFromList<ListingItem | FixedItem | vscode.QuickPickItem, Choice>({
    title: "Forge: Conversations",
    placeholder: "Search by title",
    items: () => itemsOf(conversations),
    accept: (item) => {
      if ("choice" in item) return item.choice;
      return "listing" in item ? { kind: "open", id: item.listing.id } : undefined;
    },
    press: async (item, button) => {
      if (!("listing" in item)) return undefined;
      if (button === RESCUE) return { kind: "rescue", id: item.listing.id };
      await deleteConversation(item.listing, world);
      return undefined;
    },
  });
  if (choice !== undefined && choice.kind !== "trash") world.focus();
  switch (choice?.kind) {
    case undefined:
      return;
    case "new":
      return conversations.openNew();
    case "open":
      return conversations.openExisting(choice.id);
    case "rescue":
      return rescueInChat(conversations, choice.id);
    case "trash":
      return pickFromTrash(world);
  }
}

/** Rescues a conversation, or the one that could not be opened, while the view shows that something is going on. */
export async function rescueInChat(conversations: Conversations, id?: ConversationId): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: "forge.chat" } }, () => conversations.rescue(id));
}

async function itemsOf(
  conversations: Conversations,
): Promise<readonly (ListingItem | FixedItem | vscode.QuickPickItem)[]> {
  const current = conversations.session?.opened.id;
  const listed = await conversations.list();
  const trashed = await conversations.list("trash");
  const beginNew: FixedItem = { label: "$(add) New conversation", choice: { kind: "new" } };
  const openTrash: FixedItem = {
    label: "$(trash) Trash",
    description: trashed.length === 1 ? "1 conversation" : `${trashed.length} conversations`,
    choice: { kind: "trash" },
  };
  const items = listed.map((listing): ListingItem => {
    const isRescuable = listing.broken !== undefined && listing.sizeBytes > 0;
    return { ...listingItem(listing, listing.id === current), buttons: isRescuable ? [RESCUE, DELETE] : [DELETE] };
  });
  return [beginNew, separator(), ...items, ...(trashed.length === 0 ? [] : [separator(), openTrash])];
}
