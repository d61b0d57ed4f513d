/** Imports an exported file as new conversations, which are listed only when all of them is on disk. */

import { randomUUID } from "node:crypto";
import { access, constants, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { fileFailure, nodeFiles } from "../../../adapters/node/files.ts";
import { IMPORTING_SUFFIX } from "../../../adapters/node/crashCleanup.ts";
import { acquireLease } from "../../../adapters/node/lease.ts";
import { moveLeasedFolder } from "../../../adapters/node/moveLeasedFolder.ts";
import { importConversation, OTHERS_FOLDER } from "../../../adapters/sqlite/import/importConversation.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { FileFault, TransferFailed } from "../../words/explainFiles.ts";
import { newConversation } from "./newConversation.ts";

export interface ImportOptions {
  readonly file: string;
  /** Id of the new conversation. */
  readonly id: ConversationId;
  /** Folder of all conversations. */
  readonly root: string;
  readonly workerFile: string;
  readonly sqlJsFile: string;
  /** Folder of the token ranks. Absent: the file was written by Forge itself. */
  readonly ranksFolder?: string;
  readonly cancel: CancelSignal;
}

/** Like `importFromFile`, for untrusted files: distinguishes faults of the file from failures of Forge's storage. */
export async function importUntrustedFile(options: ImportOptions): Promise<Result<ImportedFile, TransferFailed>> {
  const fault = await faultOf(options.file);
  if (fault !== undefined) return err({ of: "file", error: fault });
  const imported = await importFromFile(options);
  if (imported.ok) return imported;
  const { error } = imported;
  return err(error.code === "VALIDATION_ERROR" ? { of: "file", error } : { of: "conversation", error });
}

/** A reason not to read the file at all: no file, empty, or not accessible. A pipe is not opened: that would wait. */
async function faultOf(file: string): Promise<FileFault | undefined> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) return { code: "FOLDER" };
    if (!stats.isFile()) return { code: "NO_FILE" };
    await access(file, constants.R_OK);
    return stats.size === 0 ? { code: "EMPTY" } : undefined;
  } catch (error) {
    return fileFailure(error);
  }
}

/** Messages of all `conversations`. */
export interface ImportedFile {
  readonly messages: number;
  readonly conversations: number;
}

/**
 * An export of a whole account has several conversations: the first gets `id`, and each is listed only when all are on
 * disk. On failure none exists, unless the disk fails while they are being listed.
 */
export function importFromFile({
  file,
  id,
  root,
  ...options
}: ImportOptions): Promise<Result<ImportedFile, ForgeError>> {
  return newConversation(root, id, async (folder) => {
    const imported = await importConversation({ ...options, folder, importFile: file });
    if (!imported.ok) return imported;
    const others = await listOthers(path.join(folder, OTHERS_FOLDER), root);
    return others.ok ? ok({ messages: imported.value, conversations: 1 + others.value }) : others;
  });
}

/** Gives each conversation in `folder` an id of its own; resolves to their number. */
async function listOthers(folder: string, root: string): Promise<Result<number, ForgeError>> {
  const names = (await readdir(folder).catch(ifMissing)).map(Number).sort((one, other) => one - other);
  for (const name of names) {
    const lease = await acquireLease(path.join(folder, String(name)));
    if (!lease.ok) return lease;
    await moveLeasedFolder(lease.value, path.join(root, randomUUID()), nodeFiles);
  }
  if (names.length > 0) await rm(folder, { recursive: true });
  return ok(names.length);
}

function ifMissing(error: unknown): readonly string[] {
  if (fileFailure(error).reason === "fileGone") return [];
  throw error;
}

/** Erases what crashed imports left under `root`. */
export async function eraseUnfinishedImports(root: string): Promise<Result<void, ForgeError>> {
  try {
    for (const name of await readdir(root))
      if (name.endsWith(IMPORTING_SUFFIX)) await rm(path.join(root, name), { recursive: true, force: true });
    return ok(undefined);
  } catch (error) {
    const failure = fileFailure(error);
    return failure.reason === "fileGone" ? ok(undefined) : err(failure); // no conversation was ever created
  }
}
