/** Opens a conversation's file in the worker, or makes it. */

import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Engine } from "./engine.ts";
import { configure, migrate, SCHEMA_VERSION, schemaVersion } from "./schema.ts";
import { folderOf, type FileCalls } from "./shim/fileCalls.ts";
import type { HostFiles } from "./shim/hostFiles.ts";
import { openSqlJsEngine } from "./sqlJsEngine.ts";
import { loadSqlJs, type SqlJsShim } from "./sqlJsShim.ts";
import { notWritable, storageFailureOf } from "./storageErrors.ts";
import { StorageServer } from "./storageServer.ts";
import { DATABASE_FILE, type WorkerStart } from "./workerProtocol.ts";

/**
 * Opens the database of `start.folder`. When this answers a server, the file, its tables and the names of all files in
 * the folder are on the disk. A file that can not be used is left as it is.
 */
export async function openStorage(start: WorkerStart, calls: FileCalls): Promise<Result<StorageServer, StorageFailed>> {
  try {
    const shim = await loadSqlJs(start.sqlJsFile, calls);
    return openStorageIn(start.folder, shim);
  } catch (error) {
    return err(storageFailureOf(error));
  }
}

/** Like {@link openStorage}, with the library loaded already. */
export function openStorageIn(folder: string, shim: SqlJsShim): Result<StorageServer, StorageFailed> {
  const { calls } = shim.files;
  const path = join(folder, DATABASE_FILE);
  let engine: Engine | undefined;
  try {
    const isNew = calls.find(path) === undefined;
    engine = openSqlJsEngine(shim, path);
    const refusal = prepareTables(engine, shim.files);
    if (refusal !== undefined) {
      engine.close();
      return err(refusal);
    }
    shim.files.syncFolders();
    if (isNew) calls.syncFolder(folderOf(folder));
    return ok(new StorageServer(engine, () => shim.files.stillInPlace()));
  } catch (error) {
    const failure = storageFailureOf(error);
    if (engine !== undefined) closeAfter(failure, engine);
    return err(failure);
  }
}

function prepareTables(engine: Engine, files: HostFiles): StorageFailed | undefined {
  const journalMode = configure(engine);
  if (journalMode !== "wal") throw notWritable(journalMode, files.takeFailure());
  const version = schemaVersion(engine);
  if (version > SCHEMA_VERSION) {
    const detail = `the file has version ${version}, this Forge knows ${SCHEMA_VERSION}`;
    return { code: "STORAGE_FAILED", reason: "newerVersion", detail };
  }
  migrate(engine);
  return undefined;
}

/** Closes what failed to open. A second failure has the first one as its cause and says nothing new. */
function closeAfter(first: StorageFailed, engine: Engine): void {
  try {
    engine.close();
  } catch (error) {
    const second = storageFailureOf(error);
    if (second.reason === "engineChanged") throw new Error(`${first.detail}; then: ${second.detail}`);
  }
}
