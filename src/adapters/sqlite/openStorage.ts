/** Opens a conversation's file in the worker, or makes it. */

import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { ConversationFile } from "./conversationFile.ts";
import type { Engine } from "./engine.ts";
import { removeUnfinishedErasing } from "./erase/eraseInFolder.ts";
import { Ownership } from "./ownership.ts";
import { DatabasePages } from "./rescue/databasePages.ts";
import { isRescueUnderWay, rescueFolder, type RescueReport } from "./rescue/rescueFolder.ts";
import { configure, migrate, SCHEMA_VERSION, schemaVersion } from "./schema.ts";
import { folderOf, type FileCalls } from "./shim/fileCalls.ts";
import type { HostFiles } from "./shim/hostFiles.ts";
import { openSqlJsEngine } from "./sqlJsEngine.ts";
import { loadSqlJs, type SqlJsShim } from "./sqlJsShim.ts";
import { notWritable, storageFailureOf } from "./storageErrors.ts";
import { StorageServer } from "./storageServer.ts";
import { DATABASE_FILE } from "./databaseFile.ts";
import type { WorkerStart } from "./workerProtocol.ts";

/**
 * Opens the database of `start.folder`. When this succeeds, the file, its tables and the names of all files in
 * the folder are on the disk. A file that can not be used is left as it is.
 */
export async function openStorage(
  start: WorkerStart,
  calls: FileCalls,
): Promise<Result<ConversationFile, StorageFailed>> {
  try {
    const shim = await loadSqlJs(start.sqlJsFile, calls);
    return openStorageIn(start, shim);
  } catch (error) {
    return err(storageFailureOf(error));
  }
}

/** Rescues the damaged database of `start.folder`, which nobody has open. */
export async function rescueStorage(
  start: WorkerStart,
  calls: FileCalls,
): Promise<Result<RescueReport, StorageFailed>> {
  try {
    return rescueFolder(start.folder, await loadSqlJs(start.sqlJsFile, calls));
  } catch (error) {
    return err(storageFailureOf(error));
  }
}

/** Like {@link openStorage}, with the library loaded already. */
export function openStorageIn(
  start: Pick<WorkerStart, "folder" | "leaseFile">,
  shim: SqlJsShim,
): Result<ConversationFile, StorageFailed> {
  const { folder } = start;
  try {
    removeUnfinishedErasing(folder, shim.files.calls);
  } catch (error) {
    return err(storageFailureOf(error));
  }
  const open = (): Result<StorageServer, StorageFailed> => openFile(start, shim);
  const opened = open();
  return opened.ok ? ok(new ConversationFile(opened.value, { folder, shim, open })) : opened;
}

function openFile(
  { folder, leaseFile }: Pick<WorkerStart, "folder" | "leaseFile">,
  shim: SqlJsShim,
): Result<StorageServer, StorageFailed> {
  const { calls } = shim.files;
  const path = join(folder, DATABASE_FILE);
  let engine: Engine | undefined;
  try {
    const damage = damageBeforeOpening(folder, calls);
    if (damage !== undefined) return err(damaged(damage));
    const isNew = calls.find(path) === undefined;
    engine = openSqlJsEngine(shim, path);
    const refusal = prepareTables(engine, shim.files);
    if (refusal !== undefined) {
      closeUnchanged(shim.files, engine);
      return err(refusal);
    }
    shim.files.syncFolders();
    if (isNew) calls.syncFolder(folderOf(folder));
    return ok(new StorageServer(engine, new Ownership(shim.files, leaseFile)));
  } catch (error) {
    const failure = storageFailureOf(error);
    if (engine !== undefined) closeUnchanged(shim.files, engine);
    return err(failure);
  }
}

/** What SQLite itself would not say; `undefined` when nothing is known against the files. */
function damageBeforeOpening(folder: string, calls: FileCalls): string | undefined {
  if (isRescueUnderWay(folder, calls)) return "the rescue of this conversation was not finished";
  const pages = new DatabasePages(calls, join(folder, DATABASE_FILE));
  try {
    return pages.hidesCommits ? "the log holds commits behind a damaged place" : undefined;
  } finally {
    pages.close();
  }
}

function damaged(detail: string): StorageFailed {
  return { code: "STORAGE_FAILED", reason: "damaged", detail };
}

function prepareTables(engine: Engine, files: HostFiles): StorageFailed | undefined {
  const journalMode = configure(engine);
  if (journalMode !== "wal") throw notWritable(journalMode, files.lastFailure);
  const version = schemaVersion(engine);
  if (version > SCHEMA_VERSION) {
    const detail = `the file has version ${version}, this Forge knows ${SCHEMA_VERSION}`;
    return { code: "STORAGE_FAILED", reason: "newerVersion", detail };
  }
  migrate(engine);
  return undefined;
}

/** Closes what could not be opened well, without a byte being written: it is left for a rescue, or for a newer Forge. */
function closeUnchanged(files: HostFiles, engine: Engine): void {
  files.forbidWrites();
  try {
    engine.close();
  } catch (error) {
    storageFailureOf(error); // throws on when it is a bug; else the first failure says it all
  }
}
