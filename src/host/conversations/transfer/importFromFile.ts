/** Imports an exported file as a new conversation, which is listed only when all of it is on disk. */

import { access, constants, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { fileFailure } from "../../../adapters/node/files.ts";
import { IMPORTING_SUFFIX } from "../../../adapters/node/crashCleanup.ts";
import { importConversation } from "../../../adapters/sqlite/import/importConversation.ts";
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
export async function importUntrustedFile(options: ImportOptions): Promise<Result<number, TransferFailed>> {
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

/** Resolves to the number of messages. On failure no conversation exists. */
export function importFromFile({ file, id, root, ...options }: ImportOptions): Promise<Result<number, ForgeError>> {
  return newConversation(root, id, (folder) => importConversation({ ...options, folder, importFile: file }));
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
