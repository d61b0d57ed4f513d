/**
 * The conversations that the windows of a workspace had open, one per window, best candidate for the next window first.
 * Best effort: the file may be lost, and simultaneous writes by two windows may drop an entry.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { systemErrorCode, fileFailure, nodeFiles, replaceFile, unlinkIfThere, type Files } from "./files.ts";

const FOLDER = "last";
const KEPT = 8;

export interface WorkspacePlace {
  /** The storage folder shared by all windows of the user. */
  readonly storage: string;
  readonly workspace: string;
}

/** Best candidate for a new window first; empty if the file is missing or unreadable. */
export async function readLastConversations(
  place: WorkspacePlace,
  files: Files = nodeFiles,
): Promise<readonly ConversationId[]> {
  try {
    const lines = (await files.readText(fileFor(place))).split("\n");
    return lines.map(parseConversationId).filter((id) => id !== undefined);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

/** Records that a window opened `id` and closed `left`, its previous conversation. */
export async function recordOpened(
  place: WorkspacePlace,
  { id, previousId }: { readonly id: ConversationId; readonly previousId?: ConversationId | undefined },
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  const others = (await readLastConversations(place, files)).filter((other) => other !== id && other !== previousId);
  return write(place, [id, ...others], files);
}

/**
 * Records that the window with `id` is closing. `id` goes after the conversations open in other windows, so that a
 * killed window finds its own again, and before all others, so that a reloaded window finds its own.
 */
export async function recordClosing(
  place: WorkspacePlace,
  { id, isOpen }: { readonly id: ConversationId; readonly isOpen: (other: ConversationId) => Promise<boolean> },
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  const open: ConversationId[] = [];
  const closed: ConversationId[] = [];
  for (const other of await readLastConversations(place, files)) {
    if (other !== id) ((await isOpen(other)) ? open : closed).push(other);
  }
  return write(place, [...open, id, ...closed], files);
}

/** Deletes the entries of all workspaces. */
export async function forgetLastConversations(
  storage: string,
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  const folder = join(storage, FOLDER);
  try {
    for (const name of await files.list(folder)) await unlinkIfThere(files, join(folder, name));
    return ok(undefined);
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? ok(undefined) : err(fileFailure(error));
  }
}

async function write(
  place: WorkspacePlace,
  ids: readonly ConversationId[],
  files: Files,
): Promise<Result<void, StorageFailed>> {
  try {
    await files.makeFolder(join(place.storage, FOLDER));
    await replaceFile(
      files,
      fileFor(place),
      ids
        .slice(0, KEPT)
        .map((id) => `${id}\n`)
        .join(""),
    );
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

/** Named by a hash, because a workspace's name may be any path. */
function fileFor({ storage, workspace }: WorkspacePlace): string {
  return join(storage, FOLDER, createHash("sha256").update(workspace).digest("hex").slice(0, 32));
}
