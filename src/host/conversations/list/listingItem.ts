/** A conversation as a line of a picker. */

import * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { titleOf } from "./listedConversations.ts";
import { formatAge, formatTokens } from "../../words/rowWords.ts";

/** A line that stands for a conversation. */
export interface ListingItem extends vscode.QuickPickItem {
  readonly listing: ConversationListing;
}

/** Puts what is known of a conversation into one line; one that is broken says so, and why. */
export function listingItem(listing: ConversationListing, isCurrent = false): ListingItem {
  const { meta, broken } = listing;
  const facts: string[] = [formatAge(Date.now() - listing.lastUsedAtMs)];
  if (meta !== undefined)
    facts.push(plural(meta.messageCount, "1 message", "{1} messages", formatTokens(meta.messageCount)));
  if (broken !== undefined) facts.push(localize("damaged: {0}", broken));
  if (isCurrent) facts.push(localize("open here"));
  else if (listing.openIn === "alive") facts.push(localize("open in another window"));
  if (meta !== undefined && meta.undecided > 0) facts.push(localize("interrupted answer"));
  if (meta?.isArchived === true) facts.push(localize("archived"));
  const icon = isCurrent
    ? "$(comment-discussion)"
    : broken !== undefined
      ? "$(warning)"
      : meta?.isPinned === true
        ? "$(pinned)"
        : "$(comment)";
  return { label: `${icon} ${titleOf(listing)}`, description: facts.join(" · "), listing };
}

/** A line between groups of others. */
export function separator(label = ""): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
