/** Conversations that were deleted for good here, and are to be deleted from the replica: an empty file for each. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StorageFailed } from "../../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../../core/ids.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { fileFailure, type Files, nodeFiles, replaceFile, undefinedIfMissing, unlinkIfThere } from "../files.ts";

/** True if conversations of this machine are kept elsewhere, too. */
export function isReplicaSetUp(storage: string): boolean {
  return existsSync(join(storage, "replica", "setup.json"));
}

/** Must come before the deletion, or a kill in between would bring them back. Nothing where no replica is set up. */
export async function noteGone(
  storage: string,
  ids: readonly ConversationId[],
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  if (!isReplicaSetUp(storage)) return ok(undefined);
  try {
    await files.makeFolder(folderIn(storage));
    for (const id of ids) await replaceFile(files, join(folderIn(storage), id), "", { isDurable: true });
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

export async function goneConversations(
  storage: string,
  files: Files = nodeFiles,
): Promise<ReadonlySet<ConversationId>> {
  const names = (await undefinedIfMissing(files.list(folderIn(storage)))) ?? [];
  return new Set(names.flatMap((name) => parseConversationId(name) ?? []));
}

/** The replica has nothing of it any more. */
export async function dropGone(storage: string, id: ConversationId, files: Files = nodeFiles): Promise<void> {
  await unlinkIfThere(files, join(folderIn(storage), id));
}

function folderIn(storage: string): string {
  return join(storage, "replica", "gone");
}
