/** "Forge: Open Conversation": all conversations in a native picker, the last used first. */

import * as vscode from "vscode";
import type { ConversationListing } from "../adapters/node/conversationFolders.ts";
import { formatTokens } from "../core/context/contextUsage.ts";
import type { ConversationId } from "../core/ids.ts";
import type { Conversations } from "./conversations.ts";
import { formatAge } from "./rowWords.ts";

interface ConversationItem extends vscode.QuickPickItem {
  readonly id?: ConversationId;
}

/** Lets the user pick a conversation and opens it. A broken one is shown as broken, and opening it says more. */
export async function pickConversation(conversations: Conversations): Promise<void> {
  const current = conversations.session?.opened.id;
  const listed = await conversations.list();
  const items: ConversationItem[] = listed.map((listing) => item(listing, listing.id === current));
  const picked = await vscode.window.showQuickPick<ConversationItem>(
    [{ label: "$(add) New conversation" }, { label: "", kind: vscode.QuickPickItemKind.Separator }, ...items],
    { title: "Forge: Conversations", placeHolder: "Search by title", matchOnDescription: true },
  );
  if (picked === undefined) return;
  if (picked.id === undefined) await conversations.openNew();
  else await conversations.openExisting(picked.id);
}

function item(listing: ConversationListing, isCurrent: boolean): ConversationItem {
  const { meta } = listing;
  const facts: string[] = [formatAge(Date.now() - listing.lastUsedAtMs)];
  if (meta !== undefined) facts.push(`${formatTokens(meta.messageCount)} messages`);
  if (listing.broken !== undefined) facts.push(`damaged: ${listing.broken}`);
  if (listing.openIn === "alive" && !isCurrent) facts.push("open in another window");
  if (meta !== undefined && meta.undecided > 0) facts.push("interrupted answer");
  const icon = isCurrent ? "$(comment-discussion)" : listing.broken !== undefined ? "$(warning)" : "$(comment)";
  const title = meta?.title ?? "";
  return {
    label: `${icon} ${title === "" ? `Conversation ${listing.id.slice(0, 8)}` : title}`,
    description: facts.join(" · "),
    id: listing.id,
  };
}
