/**
 * Deleting a conversation moves its folder to the trash, undo moves it back; both are one atomic rename. Nothing is
 * removed from the trash by age, only at the user's request.
 *
 * Erasing renames the folder first: from then on it is not a conversation, and if the rest is interrupted, the next
 * erasure or `swapInErasedCopy` completes it. The disk may retain the bytes until it reuses their space, as may backups
 * and copies of the file system; no program can prevent that, so nothing is overwritten.
 */

import { dirname, join } from "node:path";
import type { ConversationInUse, StorageFailed } from "../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { err, ok, type Err, type Result } from "../../core/result.ts";
import { fileFailure, nodeFiles, undefinedIfMissing, unlinkIfThere, type Files } from "./files.ts";
import { acquireLease, type LeaseOptions } from "./lease.ts";
import { moveLeasedFolder } from "./moveLeasedFolder.ts";
import { removeFolder } from "./removeFolder.ts";

/** Both folders must be on the same file system. */
export interface TrashPlaces {
  readonly conversations: string;
  readonly trash: string;
}

/** Fails if the conversation is open in any window, including this one. */
export function moveToTrash(
  id: ConversationId,
  { conversations, trash }: TrashPlaces,
  options: LeaseOptions = {},
): Promise<Result<void, ConversationInUse | StorageFailed>> {
  return move({ id, from: conversations, to: trash }, options);
}

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
  // A lease holder would keep writing to the folder after the move.
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

/** Suffix of a folder's name during an erasure. */
export const ERASING_SUFFIX = ".erasing";

/**
 * Erases a conversation, in the trash or not. Fails if it is open in any window; succeeds if `folder` does not exist.
 */
export async function eraseConversation(
  folder: string,
  options: LeaseOptions = {},
): Promise<Result<void, ConversationInUse | StorageFailed>> {
  const { files = nodeFiles } = options;
  try {
    const begun = await beginErasing(folder, files, options);
    if (!begun.ok) return begun;
    await removeFolder(folder + ERASING_SUFFIX, files);
    await files.syncFolder(dirname(folder));
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

/**
 * Erases all conversations in the trash; returns their number. A failure does not stop the others; the first one is
 * returned at the end.
 */
export function eraseTrash(
  trash: string,
  options: LeaseOptions = {},
): Promise<Result<number, ConversationInUse | StorageFailed>> {
  return eraseAllIn([trash], options);
}

/** Like `eraseTrash`, but for all conversations. Open ones are retained and reported as failures. */
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
      const id = erasingId(name) ?? parseConversationId(name);
      if (id === undefined) continue;
      const done = await eraseConversation(join(root, id), options);
      if (done.ok) erased++;
      else failure ??= done;
    }
  }
  return failure ?? ok(erased);
}

/** Completes the interrupted erasures under `root`: the user has already confirmed them. */
export async function completeInterruptedErasures(
  root: string,
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  const names = await namesIn(root, files);
  if (!names.ok) return names;
  try {
    const unfinished = names.value.filter((name) => erasingId(name) !== undefined);
    for (const name of unfinished) await removeFolder(join(root, name), files);
    if (unfinished.length > 0) await files.syncFolder(root);
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

/** Durably renames the folder, under its lease. */
async function beginErasing(
  folder: string,
  files: Files,
  options: LeaseOptions,
): Promise<Result<void, ConversationInUse | StorageFailed>> {
  await removeFolder(folder + ERASING_SUFFIX, files); // from an earlier erasure of the same id
  const top = await undefinedIfMissing(files.lstat(folder));
  if (top?.isDirectory() !== true) {
    if (top !== undefined) await unlinkIfThere(files, folder); // a link: what it leads to is no conversation of ours
    return ok(undefined);
  }
  const lease = await acquireLease(folder, options);
  if (!lease.ok) {
    const isGone = lease.error.code === "STORAGE_FAILED" && lease.error.reason === "fileGone";
    return isGone ? ok(undefined) : lease;
  }
  try {
    await files.rename(folder, folder + ERASING_SUFFIX);
  } catch (error) {
    await lease.value.release();
    throw error;
  }
  await files.syncFolder(dirname(folder));
  return ok(undefined);
}

/** The conversation whose erasure was interrupted; `undefined` for any other name. */
function erasingId(name: string): ConversationId | undefined {
  return name.endsWith(ERASING_SUFFIX) ? parseConversationId(name.slice(0, -ERASING_SUFFIX.length)) : undefined;
}

async function namesIn(root: string, files: Files): Promise<Result<readonly string[], StorageFailed>> {
  try {
    return ok((await undefinedIfMissing(files.list(root))) ?? []);
  } catch (error) {
    return err(fileFailure(error));
  }
}
