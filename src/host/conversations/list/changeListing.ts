/**
 * Renames, pins and archives conversations: the open one in its session, others by opening their file briefly. Fails
 * for one that is open in another window.
 */

import path from "node:path";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { readMeta, writeMeta } from "../../../adapters/node/conversationMeta.ts";
import { acquireLease } from "../../../adapters/node/lease.ts";
import { openConversationStore } from "../../../adapters/sqlite/conversationStore.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { ConversationRecord } from "../../../core/history/records.ts";
import type { ConversationStore } from "../../../core/store/conversationStore.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { Conversations } from "../conversations.ts";
import { releaseFile } from "../../opening/openConversation.ts";
import { listingRecords, type ListingChange } from "./listingState.ts";

export interface ListingServices {
  readonly conversations: Conversations;
  /** Folder of the shipped files. */
  readonly dist: string;
}

/** Commits the change and updates the list entry. */
export async function changeListing(
  { id, folder }: Pick<ConversationListing, "id" | "folder">,
  change: ListingChange,
  { conversations, dist }: ListingServices,
): Promise<Result<void, ForgeError>> {
  const records = listingRecords(change, Date.now());
  const { session } = conversations;
  if (session?.opened.id !== id)
    return conversations.whileClosed(id, () => changeClosed(folder, dist, change, records));
  return session.opened.conversation.change(records);
}

async function changeClosed(
  folder: string,
  dist: string,
  change: ListingChange,
  records: readonly ConversationRecord[],
): Promise<Result<void, ForgeError>> {
  const lease = await acquireLease(folder);
  if (!lease.ok) return lease;
  const store = await openConversationStore({
    folder,
    workerFile: path.join(dist, "storageWorker.cjs"),
    sqlJsFile: path.join(dist, "sql-wasm-debug.js"),
    leaseFile: lease.value.file,
  });
  if (!store.ok) {
    await lease.value.release();
    return store;
  }
  try {
    const stored = await commit(store.value, records);
    if (!stored.ok) return stored;
    const meta = await readMeta(folder);
    // A missing list entry is created at the next opening. `lastUsedAtMs` stays: a change of the listing is no use.
    if (meta !== undefined) await writeMeta(folder, { ...meta, ...change });
    return stored;
  } finally {
    await releaseFile({ store: store.value, lease: lease.value });
  }
}

async function commit(
  store: Pick<ConversationStore, "commit">,
  records: readonly ConversationRecord[],
): Promise<Result<void, ForgeError>> {
  const stored = await store.commit(records.map((record) => ({ kind: "record", record })));
  return stored.ok ? ok(undefined) : stored;
}
