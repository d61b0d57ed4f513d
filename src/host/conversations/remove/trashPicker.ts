/** "Forge: Open Trash": lists deleted conversations, to be restored or erased. */

import * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { localize } from "../../../protocol/localize.ts";
import type { Conversations } from "../conversations.ts";
import { restoreConversation } from "./deleteConversation.ts";
import { eraseFromTrash, emptyTrash, confirmErasure } from "./eraseCommands.ts";
import { titleOf } from "../list/listedConversations.ts";
import { listingItem, separator, type ListingItem } from "../list/listingItem.ts";
import type { CommandFocus } from "../../editor/commandFocus.ts";
import { pickFromList } from "../../editor/boxes/pickFromList.ts";
import { inList } from "../../editor/boxes/inList.ts";

type Choice =
  { readonly kind: "eraseAll" | "nothing" } | { readonly kind: "ask" | "erase"; readonly listing: ConversationListing };

interface FixedItem extends vscode.QuickPickItem {
  readonly choice: Choice;
}

const RESTORE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("discard"), tooltip: localize("Restore") };
const ERASE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("trash"),
  tooltip: localize("Erase for good…"),
};

/** Buttons act on one conversation and return to the list; picking one asks what to do with it. */
export async function pickFromTrash(conversations: Conversations, keyboard: CommandFocus): Promise<void> {
  const choice = await pickFromList<ListingItem | FixedItem | vscode.QuickPickItem, Choice>({
    title: localize("Forge: Trash"),
    placeholder: localize("Nothing is erased from here automatically"),
    items: async () => itemsOf(await conversations.list("trash")),
    accept: (item) => {
      if ("choice" in item) return item.choice;
      return "listing" in item ? { kind: "ask", listing: item.listing } : undefined;
    },
    press: async (item, button) => {
      if (!("listing" in item)) return undefined;
      if (button === ERASE) return { kind: "erase", listing: item.listing };
      await restoreConversation(item.listing, conversations);
      return undefined;
    },
  });
  switch (choice?.kind) {
    case undefined:
    case "nothing":
      keyboard.afterPrompt();
      return;
    case "eraseAll":
      return emptyTrash(conversations, keyboard);
    case "ask":
      return askForAction(choice.listing, conversations, keyboard);
    case "erase":
      if (await confirmErasure(choice.listing, conversations)) await eraseFromTrash(choice.listing, conversations);
      return pickFromTrash(conversations, keyboard);
  }
}

async function askForAction(
  listing: ConversationListing,
  conversations: Conversations,
  keyboard: CommandFocus,
): Promise<void> {
  const what = await vscode.window.showQuickPick(
    inList([
      { label: `$(discard) ${localize("Restore and open")}`, act: "open" },
      { label: `$(discard) ${localize("Restore")}`, act: "restore" },
      { label: `$(trash) ${localize("Erase for good…")}`, act: "erase" },
    ] as const),
    { title: `Forge: ${titleOf(listing)}` },
  );
  const isErased = what?.act === "erase" && (await confirmErasure(listing, conversations));
  keyboard.afterPrompt();
  if (isErased) await eraseFromTrash(listing, conversations);
  if (what === undefined || what.act === "erase") return;
  const isRestored = await restoreConversation(listing, conversations);
  if (isRestored && what.act === "open") await conversations.openExisting(listing.id);
}

function itemsOf(listed: readonly ConversationListing[]): readonly (ListingItem | FixedItem | vscode.QuickPickItem)[] {
  const empty: FixedItem = { label: `$(check) ${localize("The trash is empty")}`, choice: { kind: "nothing" } };
  if (listed.length === 0) return [empty];
  const eraseAll: FixedItem = { label: `$(trash) ${localize("Erase all for good…")}`, choice: { kind: "eraseAll" } };
  const items = listed.map((listing): ListingItem => ({ ...listingItem(listing), buttons: [RESTORE, ERASE] }));
  return [...items, separator(), eraseAll];
}
