/**
 * Which conversations the windows of a workspace had open: one for each window, the likeliest for the next window first.
 * A convenience: it may be lost, and two windows that write at once may forget one of them.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { codeOf, fileFailure, nodeFiles, replaceFile, unlinkIfThere, type Files } from "./files.ts";

const FOLDER = "last";
const KEPT = 8;

/** Where the memory of one workspace lies. */
export interface WorkspacePlace {
  /** The folder that all windows of the user share. */
  readonly storage: string;
  readonly workspace: string;
}

/** The conversations that were open last, those that a window should try first in front. Empty when none is known. */
export async function readLastConversations(
  place: WorkspacePlace,
  files: Files = nodeFiles,
): Promise<readonly ConversationId[]> {
  try {
    const lines = (await files.readText(fileFor(place))).split("\n");
    return lines.map(parseConversationId).filter((id) => id !== undefined);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}

/** A window has opened `id`, and no longer has `left`, where it had another one before. */
export async function noteOpened(
  place: WorkspacePlace,
  { id, left }: { readonly id: ConversationId; readonly left?: ConversationId | undefined },
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  const others = (await readLastConversations(place, files)).filter((other) => other !== id && other !== left);
  return write(place, [id, ...others], files);
}

/**
 * The window that has `id` is being closed. It comes behind those that are open in other windows, so that one of these
 * that is killed finds its own, and before the rest, so that a window that is loaded again does.
 */
export async function noteClosing(
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

/** Forgets what every workspace had open. */
export async function forgetLastConversations(
  storage: string,
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  const folder = join(storage, FOLDER);
  try {
    for (const name of await files.list(folder)) await unlinkIfThere(files, join(folder, name));
    return ok(undefined);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? ok(undefined) : err(fileFailure(error));
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

/** A workspace's name may be any path, so the file is named by its hash. */
function fileFor({ storage, workspace }: WorkspacePlace): string {
  return join(storage, FOLDER, createHash("sha256").update(workspace).digest("hex").slice(0, 32));
}
