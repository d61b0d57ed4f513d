/**
 * Deleting a conversation moves its folder to the trash, and undo moves it back: one rename, whole or not at all. Nothing
 * is ever removed from the trash by age; that takes a word of the user.
 */

import { basename, join } from "node:path";
import type { ConversationInUse, StorageFailed } from "../../core/errors.ts";
import type { ConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { fileFailure, nodeFiles, replaceFile, type Files } from "./files.ts";
import { acquireLease, type LeaseOptions } from "./lease.ts";
import { RELEASED_TEXT } from "./leaseFile.ts";

/** Where conversations lie, and where those that were deleted lie. Both are folders on one disk. */
export interface TrashPlaces {
  readonly conversations: string;
  readonly trash: string;
}

/** Moves a conversation to the trash. One that is open, here or elsewhere, stays where it is. */
export function moveToTrash(
  id: ConversationId,
  { conversations, trash }: TrashPlaces,
  options: LeaseOptions = {},
): Promise<Result<void, ConversationInUse | StorageFailed>> {
  return move({ id, from: conversations, to: trash }, options);
}

/** Moves a conversation back from the trash. */
export function restoreFromTrash(
  id: ConversationId,
  { conversations, trash }: TrashPlaces,
  options: LeaseOptions = {},
): Promise<Result<void, ConversationInUse | StorageFailed>> {
  return move({ id, from: trash, to: conversations }, options);
}

interface Move {
  readonly id: ConversationId;
  readonly from: string;
  readonly to: string;
}

async function move(
  { id, from, to }: Move,
  options: LeaseOptions,
): Promise<Result<void, ConversationInUse | StorageFailed>> {
  const files: Files = options.files ?? nodeFiles;
  // Whoever holds the lease may write into the folder, wherever it is moved to.
  const lease = await acquireLease(join(from, id), options);
  if (!lease.ok) return lease;
  try {
    await files.makeFolder(to);
    await files.rename(join(from, id), join(to, id));
    for (const folder of [to, from]) await files.syncFolder(folder);
    // The lease moved with its folder and is given back there.
    await replaceFile(files, join(to, id, basename(lease.value.file)), RELEASED_TEXT);
    return ok(undefined);
  } catch (error) {
    await lease.value.release();
    return err(fileFailure(error));
  }
}
