/**
 * Puts a file without what is erased in the place of a conversation's file.
 *
 *   build   erasing.sqlite: a copy that never held what is erased; synced
 *   clear   copies that a rescue kept, and the list's copy of the title, go
 *   swap    the old file is closed, with no log left; the new one takes its name: from here on it is erased
 *
 * A crash before the swap leaves the conversation as it was, and a file that the next opening removes. SQLite's own ways to
 * overwrite what is deleted do not do: rows that were moved leave copies of themselves on pages that are still in use.
 */

import fs from "node:fs";
import { join } from "node:path";
import type { Erasure } from "../../../core/history/erasure.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import { EngineError, numberIn, type Engine } from "../engine/engine.ts";
import { migrate } from "../schema.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { copyWithout } from "./copyWithout.ts";

/** What an erasing works on. */
export interface ErasingWork {
  readonly folder: string;
  readonly shim: SqlJsShim;
  readonly erasure: Erasure;
  /** Called every few milliseconds. */
  readonly onProgress: () => void;
}

const NEW_FILE = "erasing.sqlite";
const SIDE_FILES = ["-wal", "-journal"];
/** What else in the folder may hold words of the conversation. */
const COPIES = /^(?:damaged-\d+|rescued)\.sqlite(?:-wal|-journal)?$|^meta\.json$|^tmp\./;

/** Removes what a crash left of an erasing that was not done. */
export function removeUnfinishedErasing(folder: string, calls: FileCalls): void {
  for (const suffix of ["", ...SIDE_FILES]) {
    const path = join(folder, NEW_FILE + suffix);
    if (calls.find(path) !== undefined) calls.unlink(path);
  }
}

/**
 * Makes all ready, with the database open in `engine`, which goes on afterwards. Throws when it cannot be done; then only
 * copies may be gone.
 */
export function prepareErasing(engine: Engine, { folder, shim, erasure, onProgress }: ErasingWork): void {
  const { calls } = shim.files;
  removeUnfinishedErasing(folder, calls);
  writeLogBack(engine);
  const path = join(folder, NEW_FILE);
  try {
    build(engine, path, { shim, erasure, onProgress });
    syncFile(path, calls);
    for (const name of calls.list(folder)) if (COPIES.test(name)) calls.unlink(join(folder, name));
    calls.syncFolder(folder);
  } catch (error) {
    removeIfPossible(folder, calls);
    throw error;
  }
}

/** Does it, with the database closed. Throws when it cannot be done; then the old file is still in its place. */
export function finishErasing(folder: string, calls: FileCalls): void {
  const path = join(folder, DATABASE_FILE);
  try {
    // A log beside the new file would be read into it. That of the old one is empty: it was written back.
    for (const suffix of SIDE_FILES) if (calls.find(path + suffix) !== undefined) calls.unlink(path + suffix);
    calls.syncFolder(folder);
    calls.rename(join(folder, NEW_FILE), path);
  } catch (error) {
    removeIfPossible(folder, calls);
    throw error;
  }
  calls.syncFolder(folder);
}

function writeLogBack(engine: Engine): void {
  const [row] = engine.all("PRAGMA wal_checkpoint(TRUNCATE)");
  if (numberIn(row, "busy") !== 0) throw new EngineError("the log could not be written back", SQLITE_BUSY, undefined);
}

const SQLITE_BUSY = 5;

function build(from: Engine, path: string, { shim, erasure, onProgress }: Omit<ErasingWork, "folder">): void {
  const to = openSqlJsEngine(shim, path);
  try {
    // Nobody reads it before it is whole and synced, so it needs no log and no sync of its own.
    for (const pragma of ["locking_mode=EXCLUSIVE", "journal_mode=OFF", "synchronous=OFF", "cache_size=-16000"]) {
      to.all(`PRAGMA ${pragma}`);
    }
    migrate(to);
    copyWithout({ from, to, erasure, onProgress });
    to.all("PRAGMA journal_mode=WAL"); // as every other opening finds it
  } finally {
    to.close();
  }
}

function syncFile(path: string, calls: FileCalls): void {
  const handle = calls.open(path, fs.constants.O_RDWR, 0o600);
  try {
    calls.sync(handle);
  } finally {
    calls.close(handle);
  }
}

/** It is of no use, and in nobody's way when it stays: the failure that led here says more. */
function removeIfPossible(folder: string, calls: FileCalls): void {
  try {
    removeUnfinishedErasing(folder, calls);
  } catch {
    // the next opening tries again
  }
}
