/** Imports an exported file as a new conversation, which is listed only when all of it is on disk. */

import { access, constants, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { fileFailure, nodeFiles } from "../../../adapters/node/files.ts";
import { acquireLease } from "../../../adapters/node/lease.ts";
import { IMPORT_FILE, IMPORTING_SUFFIX } from "../../../adapters/node/crashCleanup.ts";
import { moveLeasedFolder } from "../../../adapters/node/moveLeasedFolder.ts";
import { importConversation } from "../../../adapters/sqlite/import/importConversation.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { FileFault, TransferFailed } from "../../words/explainFiles.ts";

export interface ImportOptions {
  /** The file, or a function that writes it to the path given: a temporary one, removed also after a crash. */
  readonly file: string | ((file: string) => Promise<Result<void, ForgeError>>);
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
  const fault = typeof options.file === "string" ? await faultOf(options.file) : undefined;
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
export async function importFromFile(options: ImportOptions): Promise<Result<number, ForgeError>> {
  const { file, id, root, workerFile, sqlJsFile, ranksFolder, cancel } = options;
  const folder = path.join(root, id);
  const temporaryFolder = folder + IMPORTING_SUFFIX;
  try {
    await nodeFiles.makeFolder(temporaryFolder);
    // The lease keeps the cleanup of other windows away from the folder.
    const lease = await acquireLease(temporaryFolder);
    if (!lease.ok) return lease;
    const documentFile = path.join(temporaryFolder, IMPORT_FILE);
    const made = typeof file === "string" ? ok(undefined) : await file(documentFile);
    if (!made.ok) return made;
    const imported = await importConversation({
      folder: temporaryFolder,
      importFile: typeof file === "string" ? file : documentFile,
      workerFile,
      sqlJsFile,
      ...(ranksFolder === undefined ? {} : { ranksFolder }),
      cancel,
    });
    if (!imported.ok) return imported;
    await rm(documentFile, { force: true });
    await moveLeasedFolder(lease.value, folder, nodeFiles);
    return ok(imported.value);
  } catch (error) {
    return err(fileFailure(error));
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
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
