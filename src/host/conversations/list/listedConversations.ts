/** The conversations on disk that the user is shown. */

import { readdir } from "node:fs/promises";
import { listConversations, type ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { ListingCache } from "../../../adapters/node/listingCache.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import type { ConversationId } from "../../../core/ids.ts";
import { ok, type Result } from "../../../core/result.ts";
import { localize } from "../../../protocol/localize.ts";
import { isolatedProse } from "../../../protocol/rightToLeft.ts";
import { shortenTitle, visibleTitle } from "../../transcript/title.ts";

/**
 * The conversations under `root`, last used first, without those that were never used. Broken ones are always included:
 * both unreadable ones and empty ones created by a rescue, which have the damaged file beside them. `damaged`: ids that
 * failed to open as damaged; listing opens no file and cannot detect that.
 */
export async function listedConversations(
  root: string,
  damaged: ReadonlySet<ConversationId> = new Set(),
  cache?: ListingCache,
): Promise<Result<readonly ConversationListing[], StorageFailed>> {
  const listed = await listConversations(root, cache);
  if (!listed.ok) return listed;
  const isShown = await Promise.all(listed.value.map(isListed));
  return ok(
    listed.value
      .filter((_, index) => isShown[index])
      .map((listing) => (damaged.has(listing.id) ? { broken: FOUND_AT_OPENING, ...listing } : listing)),
  );
}

const FOUND_AT_OPENING = localize("found when it was opened");

/** The title, or a placeholder with the beginning of the id. */
export function titleOf({ id, meta }: Pick<ConversationListing, "id" | "meta">): string {
  const title = visibleTitle(meta?.title ?? "");
  return title === "" ? localize("Conversation {0}", id.slice(0, 8)) : title;
}

/** The title for a notification: short, and without `[text](command:…)`, which the editor would turn into a link. */
export function titleInNotification(listing: Pick<ConversationListing, "id" | "meta">): string {
  return isolatedProse(shortenTitle(titleOf(listing))).replaceAll("](", "]\u200b(");
}

async function isListed({ folder, meta, broken }: ConversationListing): Promise<boolean> {
  if (meta === undefined || broken !== undefined || meta.messageCount > 0 || meta.undecided > 0) return true;
  return (await readdir(folder).catch(() => [])).some((name) => name.startsWith("damaged-"));
}
