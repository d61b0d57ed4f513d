/**
 * Deleting a conversation moves its folder to the trash, and undo moves it back: one rename, whole or not at all. Nothing
 * is ever removed from the trash by age; that takes a word of the user.
 *
 * Erasing takes a folder's name away first: from then on it is no conversation any more, and whatever stops the rest, the
 * next erasing or `finishErasing` ends it. The disk may keep the bytes until it uses their place again, and so may copies
 * that a backup or the file system itself made: no program can promise more, so nothing is overwritten for show.
 */

import { dirname, join } from "node:path";
import type { ConversationInUse, StorageFailed } from "../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { err, ok, type Err, type Result } from "../../core/result.ts";
import { fileFailure, nodeFiles, unlessMissing, type Files } from "./files.ts";
import { acquireLease, type LeaseOptions } from "./lease.ts";
import { moveLeasedFolder } from "./movedFolder.ts";
import { removeFolder } from "./removedFolder.ts";

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
    await moveLeasedFolder(lease.value, join(to, id), files);
    return ok(undefined);
  } catch (error) {
    await lease.value.release();
    return err(fileFailure(error));
  }
}

/** Of a folder's name while it is erased: what is left of it is of no use to anybody. */
export const ERASING = ".erasing";

/**
 * Erases the conversation in `folder` for good, wherever it lies. One that is open, here or elsewhere, stays as it is. One
 * that is not there is erased already.
 */
export async function eraseConversation(
  folder: string,
  options: LeaseOptions = {},
): Promise<Result<void, ConversationInUse | StorageFailed>> {
  const { files = nodeFiles } = options;
  try {
    const begun = await beginErasing(folder, files, options);
    if (!begun.ok) return begun;
    await removeFolder(folder + ERASING, files);
    await files.syncFolder(dirname(folder));
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

/**
 * Erases every conversation in the trash; answers how many. One that cannot be erased does not save the others: the first
 * failure is told when they are done.
 */
export function eraseTrash(
  trash: string,
  options: LeaseOptions = {},
): Promise<Result<number, ConversationInUse | StorageFailed>> {
  return eraseAllIn([trash], options);
}

/** Erases every conversation, in the trash and out of it, as `eraseTrash` does. Those that are open somewhere stay. */
export function eraseEverything(
  { conversations, trash }: TrashPlaces,
  options: LeaseOptions = {},
): Promise<Result<number, ConversationInUse | StorageFailed>> {
  return eraseAllIn([trash, conversations], options);
}

async function eraseAllIn(
  roots: readonly string[],
  options: LeaseOptions,
): Promise<Result<number, ConversationInUse | StorageFailed>> {
  const { files = nodeFiles } = options;
  let erased = 0;
  let failure: Err<ConversationInUse | StorageFailed> | undefined;
  for (const root of roots) {
    const names = await namesIn(root, files);
    if (!names.ok) failure ??= names;
    for (const name of names.ok ? names.value : []) {
      const id = parseConversationId(name.endsWith(ERASING) ? name.slice(0, -ERASING.length) : name);
      if (id === undefined) continue;
      const done = await eraseConversation(join(root, id), options);
      if (done.ok) erased++;
      else failure ??= done;
    }
  }
  return failure ?? ok(erased);
}

/** Ends the erasing of conversations under `root` that a crash or a fault interrupted: the user's word was given. */
export async function finishErasing(root: string, files: Files = nodeFiles): Promise<Result<void, StorageFailed>> {
  const names = await namesIn(root, files);
  if (!names.ok) return names;
  try {
    const unfinished = names.value.filter((name) => name.endsWith(ERASING));
    for (const name of unfinished) await removeFolder(join(root, name), files);
    if (unfinished.length > 0) await files.syncFolder(root);
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

/** Takes the folder's name away, durably, while nobody has it open. */
async function beginErasing(
  folder: string,
  files: Files,
  options: LeaseOptions,
): Promise<Result<void, ConversationInUse | StorageFailed>> {
  await removeFolder(folder + ERASING, files); // of an earlier conversation with this name
  const lease = await acquireLease(folder, options);
  if (!lease.ok) {
    const isGone = lease.error.code === "STORAGE_FAILED" && lease.error.reason === "fileGone";
    return isGone ? ok(undefined) : lease;
  }
  try {
    await files.rename(folder, folder + ERASING);
  } catch (error) {
    await lease.value.release();
    throw error;
  }
  await files.syncFolder(dirname(folder));
  return ok(undefined);
}

async function namesIn(root: string, files: Files): Promise<Result<readonly string[], StorageFailed>> {
  try {
    return ok((await unlessMissing(files.list(root))) ?? []);
  } catch (error) {
    return err(fileFailure(error));
  }
}
