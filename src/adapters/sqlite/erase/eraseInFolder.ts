/**
 * Replaces a conversation's database with a copy that lacks the erased content.
 *
 *   build   erasing.sqlite: a copy that never contained the erased content; in slices, between which the conversation is
 *           read and written as ever; synced
 *   clear   remove files preserved by a rescue and meta.json, which contains the title
 *   swap    the old file is closed and its log removed; renaming the new one over it completes the erasure
 *
 * A crash before the swap leaves the conversation unchanged, and a file that the next opening removes. SQLite's own
 * overwriting of deleted data is not enough: moved rows leave copies of themselves on pages that are still in use.
 */

import fs from "node:fs";
import { join } from "node:path";
import type { Erasure } from "../../../core/history/erasure.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import { EngineError, numberColumn, type Engine } from "../engine/engine.ts";
import { configureForBuilding, migrate } from "../schema.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { CopyWithout } from "./copyWithout.ts";

export interface ErasingWork {
  readonly folder: string;
  readonly shim: SqlJsShim;
  readonly erasure: Erasure;
}

/** Characters copied in one slice: some milliseconds. */
const SLICE_CHARACTERS = 200_000;
/** Groups of rows copied in one slice, where they are short. */
const SLICE_GROUPS = 20;
/** Characters between two syncs, so that none of them takes long. */
const SYNC_CHARACTERS = 4_000_000;

const NEW_FILE = "erasing.sqlite";
const SIDE_FILES = ["-wal", "-journal"];
/** Other files in the folder that may contain text of the conversation. */
const COPIES = /^(?:damaged-\d+|rescued)\.sqlite(?:-wal|-journal)?$|^meta\.json$|^tmp\./;

/** Removes the files of an erasure that a crash interrupted. */
export function removeUnfinishedErasing(folder: string, calls: FileCalls): void {
  for (const suffix of ["", ...SIDE_FILES]) {
    const path = join(folder, NEW_FILE + suffix);
    if (calls.find(path) !== undefined) calls.unlink(path);
  }
}

/**
 * Build and clear steps. The database stays open in `engine` and usable. When a member throws, nothing but preserved
 * copies may have been removed, and `abandon` is to be called.
 */
export class ErasedCopy {
  readonly #from: Engine;
  readonly #work: ErasingWork;
  readonly #path: string;
  #building: { readonly to: Engine; readonly copy: CopyWithout } | undefined;
  #unsynced = 0;

  constructor(from: Engine, work: ErasingWork) {
    this.#from = from;
    this.#work = work;
    this.#path = join(work.folder, NEW_FILE);
  }

  /** Copies some rows; false when all that is stored now is copied. */
  runSlice(): boolean {
    const { to, copy } = (this.#building ??= this.#begin());
    to.exec("BEGIN");
    let characters = 0;
    let last = 1;
    for (let group = 0; group < SLICE_GROUPS && last > 0 && characters < SLICE_CHARACTERS; group++) {
      last = copy.copyRows();
      characters += last;
    }
    to.exec("COMMIT");
    this.#unsynced += characters;
    if (this.#unsynced >= SYNC_CHARACTERS) this.#sync();
    return last > 0;
  }

  /** Call after `runSlice` returned false; see `CopyWithout.finish`. On false, slices begin anew. */
  finish(draft: string): boolean {
    const { to, copy } = (this.#building ??= this.#begin());
    const { folder, shim } = this.#work;
    const { calls } = shim.files;
    writeLogBack(this.#from); // the swap removes the log
    to.exec("BEGIN");
    const isDone = copy.finish(draft);
    to.exec("COMMIT");
    if (isDone) to.all("PRAGMA journal_mode=WAL"); // as in every other database
    this.#close();
    if (!isDone) return false;
    this.#sync();
    for (const name of calls.list(folder)) if (COPIES.test(name)) calls.unlink(join(folder, name));
    calls.syncFolder(folder);
    return true;
  }

  /** Ignores failures: a remaining file is harmless, and the original error is more telling. */
  abandon(): void {
    try {
      this.#close();
    } catch {
      // it is not read again
    }
    removeIfPossible(this.#work.folder, this.#work.shim.files.calls);
  }

  #begin(): { readonly to: Engine; readonly copy: CopyWithout } {
    const { folder, shim, erasure } = this.#work;
    removeUnfinishedErasing(folder, shim.files.calls);
    writeLogBack(this.#from);
    const to = openSqlJsEngine(shim, this.#path);
    try {
      configureForBuilding(to);
      migrate(to);
      return { to, copy: new CopyWithout(this.#from, to, erasure) };
    } catch (error) {
      to.close();
      throw error;
    }
  }

  #close(): void {
    const building = this.#building;
    this.#building = undefined;
    building?.to.close();
  }

  #sync(): void {
    this.#unsynced = 0;
    syncFile(this.#path, this.#work.shim.files.calls);
  }
}

/** Swap step; the database must be closed. When the swap throws, the old file is still in place. */
export function swapInErasedCopy(folder: string, calls: FileCalls): void {
  const path = join(folder, DATABASE_FILE);
  try {
    // SQLite would replay a remaining log into the new file. The old log is empty: it was checkpointed.
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
  if (numberColumn(row, "busy") !== 0)
    throw new EngineError("the log could not be written back", SQLITE_BUSY, undefined);
}

const SQLITE_BUSY = 5;

function syncFile(path: string, calls: FileCalls): void {
  const handle = calls.open(path, fs.constants.O_RDWR, 0o600);
  try {
    calls.sync(handle);
  } finally {
    calls.close(handle);
  }
}

/** Ignores failures: a remaining file is harmless, and the original error is more telling. */
function removeIfPossible(folder: string, calls: FileCalls): void {
  try {
    removeUnfinishedErasing(folder, calls);
  } catch {
    // the next opening tries again
  }
}
