/** Which conversations the user is shown, of those that lie on the disk. */

import { readdir } from "node:fs/promises";
import { listConversations, type ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import type { ConversationId } from "../../../core/ids.ts";
import { ok, type Result } from "../../../core/result.ts";
import { localize } from "../../../protocol/localize.ts";
import { onOneShortLine } from "../../transcript/title.ts";

/**
 * The conversations under `root`, the last used first; those in which nothing was ever said are left out. A broken one is
 * never: neither one that cannot be read, nor an empty one that a rescue made and that has the damaged file beside it.
 * `damaged`: found so by who opened them, which a list, that opens nothing, cannot see.
 */
export async function listedConversations(
  root: string,
  damaged: ReadonlySet<ConversationId> = new Set(),
): Promise<Result<readonly ConversationListing[], StorageFailed>> {
  const listed = await listConversations(root);
  if (!listed.ok) return listed;
  const isShown = await Promise.all(listed.value.map(holdsSomething));
  return ok(
    listed.value
      .filter((_, index) => isShown[index])
      .map((listing) => (damaged.has(listing.id) ? { broken: FOUND_AT_OPENING, ...listing } : listing)),
  );
}

const FOUND_AT_OPENING = localize("found when it was opened");

/** What a conversation is called where it has no title. */
export function titleOf({ id, meta }: Pick<ConversationListing, "id" | "meta">): string {
  const title = meta?.title ?? "";
  return title === "" ? localize("Conversation {0}", id.slice(0, 8)) : title;
}

/** The same for a notification: short, and with no link, which the editor makes of `[words](command:…)`. */
export function titleInNotification(listing: Pick<ConversationListing, "id" | "meta">): string {
  return onOneShortLine(titleOf(listing)).replaceAll("](", "]\u200b(");
}

async function holdsSomething({ folder, meta, broken }: ConversationListing): Promise<boolean> {
  if (meta === undefined || broken !== undefined || meta.messageCount > 0 || meta.undecided > 0) return true;
  return (await readdir(folder).catch(() => [])).some((name) => name.startsWith("damaged-"));
}
