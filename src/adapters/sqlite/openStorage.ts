/** Opens or creates a conversation's database in the worker. */

import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Stemmer } from "../../core/search/ranking/stemmer.ts";
import { ConversationFile } from "./conversationFile.ts";
import type { Engine } from "./engine/engine.ts";
import { removeUnfinishedErasing } from "./erase/eraseInFolder.ts";
import { Ownership } from "./ownership.ts";
import { contentLoss } from "./rescue/contentLoss.ts";
import { DatabasePages } from "./pages/databasePages.ts";
import { isRescueUnderWay, rescueFolder, type RescueReport } from "./rescue/rescueFolder.ts";
import { configure, configureForReading, migrate, newerVersion, SCHEMA_VERSION } from "./schema.ts";
import { folderOf, type FileCalls } from "./engine/shim/fileCalls.ts";
import type { HostFiles } from "./engine/shim/hostFiles.ts";
import { openSqlJsEngine } from "./engine/sqlJsEngine.ts";
import { loadSqlJs, type SqlJsShim } from "./engine/sqlJsShim.ts";
import { notWritable, storageFailureOf } from "./storageErrors.ts";
import { StorageServer } from "./thread/storageServer.ts";
import { DATABASE_FILE } from "./databaseFile.ts";
import type { WorkerStart } from "./thread/workerProtocol.ts";

/**
 * Opens the database in `start.folder`. On success the file, its tables and all names in the folder are on disk.
 * A file that cannot be used is left unchanged. The file of a newer Forge, or one that cannot be written, is opened
 * read-only.
 */
export async function openStorage(
  start: WorkerStart,
  calls: FileCalls,
  stemmer?: Stemmer,
): Promise<Result<ConversationFile, StorageFailed>> {
  try {
    const shim = await loadSqlJs(start.sqlJsFile, calls);
    return openStorageIn({ ...start, stemmer }, shim);
  } catch (error) {
    return err(storageFailureOf(error));
  }
}

/** Rescues the damaged database in `start.folder`, which must not be open anywhere. */
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

interface OpeningStart extends Pick<WorkerStart, "folder" | "leaseFile" | "unwritable"> {
  /** For ranked searches; without one, words match only as they are. */
  readonly stemmer?: Stemmer | undefined;
}

/** {@link openStorage} with the library already loaded. */
export function openStorageIn(start: OpeningStart, shim: SqlJsShim): Result<ConversationFile, StorageFailed> {
  const { folder } = start;
  const open = (): Result<StorageServer, StorageFailed> => openServer(start, shim);
  const opened = open();
  return opened.ok ? ok(new ConversationFile(opened.value, { folder, shim, open })) : opened;
}

function openServer(start: OpeningStart, shim: SqlJsShim): Result<StorageServer, StorageFailed> {
  const { calls } = shim.files;
  try {
    const { damage, version } = inspectFiles(start.folder, calls);
    if (damage !== undefined) return err(damaged(damage));
    if (version > SCHEMA_VERSION) return openReadOnlyServer(start, shim, newerVersion(version));
    if (start.unwritable !== undefined)
      return version === 0 ? err(start.unwritable) : openReadOnlyServer(start, shim, start.unwritable);
    removeUnfinishedErasing(start.folder, calls);
    return openWritableServer(start, shim);
  } catch (error) {
    return err(storageFailureOf(error));
  }
}

function openWritableServer(
  { folder, leaseFile, stemmer }: OpeningStart,
  shim: SqlJsShim,
): Result<StorageServer, StorageFailed> {
  const { calls } = shim.files;
  const path = join(folder, DATABASE_FILE);
  const isNew = calls.find(path) === undefined;
  const engine = openSqlJsEngine(shim, path);
  try {
    const journalMode = configure(engine);
    if (journalMode !== "wal") throw notWritable(journalMode, shim.files.lastFailure);
    migrate(engine);
    if (isNew) {
      shim.files.syncNames(folder);
      calls.syncFolder(folderOf(folder));
    }
    return ok(new StorageServer(engine, new Ownership(shim.files, leaseFile), { stemmer }));
  } catch (error) {
    const failure = storageFailureOf(error);
    closeUnchanged(shim.files, engine);
    return err(failure);
  }
}

/** Serves the file read-only; that of a newer Forge as far as the tables known here still exist in it. */
function openReadOnlyServer(
  { folder, leaseFile, stemmer }: OpeningStart,
  shim: SqlJsShim,
  refusal: StorageFailed,
): Result<StorageServer, StorageFailed> {
  const engine = openSqlJsEngine(shim, join(folder, DATABASE_FILE), true);
  try {
    configureForReading(engine);
    return ok(new StorageServer(engine, new Ownership(shim.files, leaseFile), { stemmer, refusal }));
  } catch (error) {
    const failure = storageFailureOf(error);
    closeUnchanged(shim.files, engine);
    return err(failure.reason === "damaged" && refusal.reason === "newerVersion" ? refusal : failure);
  }
}

interface FirstLook {
  /** Damage that SQLite itself would not report. */
  readonly damage: string | undefined;
  readonly version: number;
}

function inspectFiles(folder: string, calls: FileCalls): FirstLook {
  if (isRescueUnderWay(folder, calls)) {
    return { damage: "the rescue of this conversation was not finished", version: 0 };
  }
  const pages = new DatabasePages(calls, join(folder, DATABASE_FILE));
  try {
    const version = pages.schemaVersion;
    if (pages.hasHiddenCommits) return { damage: "the log holds commits behind a damaged place", version };
    // The tables of a newer Forge are unknown.
    return { damage: version > SCHEMA_VERSION ? undefined : contentLoss(folder, pages, calls), version };
  } finally {
    pages.close();
  }
}

function damaged(detail: string): StorageFailed {
  return { code: "STORAGE_FAILED", reason: "damaged", detail };
}

/** Closes a file that failed to open without writing a byte: it is left for a rescue, or for a newer Forge. */
function closeUnchanged(files: HostFiles, engine: Engine): void {
  files.forbidWrites();
  try {
    engine.close();
  } catch (error) {
    storageFailureOf(error); // rethrows a bug; any other error is less telling than the first failure
  }
}
