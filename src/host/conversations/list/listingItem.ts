/** A conversation as a picker item. */

import * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { proseInList } from "../../tools/hiddenText.ts";
import { titleOf } from "./listedConversations.ts";
import { formatAge, formatTokens } from "../../words/formatting.ts";

export interface ListingItem extends vscode.QuickPickItem {
  readonly listing: ConversationListing;
}

/** For a broken conversation, the description says why. */
export function listingItem(listing: ConversationListing, isCurrent = false): ListingItem {
  const { meta, broken } = listing;
  const facts: string[] = [formatAge(Date.now() - listing.lastUsedAtMs)];
  if (meta !== undefined)
    facts.push(plural(meta.messageCount, "1 message", "{1} messages", formatTokens(meta.messageCount)));
  if (broken !== undefined) facts.push(localize("damaged: {0}", broken));
  if (isCurrent) facts.push(localize("open here"));
  else if (listing.openIn === "alive") facts.push(localize("open in another window"));
  if (meta !== undefined && meta.undecided > 0) facts.push(localize("interrupted answer"));
  if (meta?.isLeftOut === true) facts.push(localize("models do not find it from others"));
  if (meta?.isArchived === true) facts.push(localize("archived"));
  const icon = isCurrent
    ? "$(comment-discussion)"
    : broken !== undefined
      ? "$(warning)"
      : meta?.isPinned === true
        ? "$(pinned)"
        : "$(comment)";
  return { label: `${icon} ${proseInList(titleOf(listing))}`, description: facts.join(" · "), listing };
}

export function separator(label = ""): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
