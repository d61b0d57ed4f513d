/**
 * Replaces a conversation's database with a copy that lacks the erased content.
 *
 *   build   erasing.sqlite: a copy that never contained the erased content; in slices, between which the conversation is
 *           read and written as ever; synced
 *   clear   remove files preserved by a rescue and meta.json, which contains the title
 *   swap    the old file is closed and its log removed; renaming the new one over it completes the erasure; the old
 *           one, which has no name any more, is shortened bit by bit, since freeing all of it at once takes long
 *
 * Each step is a generator that pauses every few milliseconds; from the end of the build step to that of the swap the
 * conversation must not be written.
 *
 * A crash before the swap leaves the conversation unchanged, and a file that the next opening removes. SQLite's own
 * overwriting of deleted data is not enough: moved rows leave copies of themselves on pages that are still in use.
 */

import fs from "node:fs";
import { join } from "node:path";
import type { CooperativeTask } from "../../../core/cooperativeTask.ts";
import type { Erasure } from "../../../core/history/erasure.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import { EngineError, numberColumn, type Engine } from "../engine/engine.ts";
import { configureForBuilding, migrate } from "../schema.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { storageFailureOf } from "../storageErrors.ts";
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
const SYNC_CHARACTERS = 1_000_000;
/** Bytes of a removed file that are freed at once. */
const FREED_BYTES = 8 << 20;

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
    if (this.#building === undefined) {
      this.#building = this.#begin();
      return true;
    }
    const { to, copy } = this.#building;
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
  *finish(draft: string): CooperativeTask<boolean> {
    const { to, copy } = (this.#building ??= this.#begin());
    const { folder, shim } = this.#work;
    const { calls } = shim.files;
    writeLogBack(this.#from); // the swap removes the log
    yield;
    to.exec("BEGIN");
    const isDone = copy.finish(draft);
    to.exec("COMMIT");
    yield;
    if (isDone) to.all("PRAGMA journal_mode=WAL"); // as in every other database
    this.#close();
    if (!isDone) return false;
    yield;
    this.#sync();
    yield;
    for (const name of calls.list(folder)) if (COPIES.test(name)) yield* removeBitByBit(join(folder, name), calls);
    calls.syncFolder(folder);
    yield;
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
export function* swapInErasedCopy(folder: string, calls: FileCalls): CooperativeTask<void> {
  const path = join(folder, DATABASE_FILE);
  let old: number | undefined;
  try {
    // SQLite would replay a remaining log into the new file. The old log is empty: it was checkpointed.
    for (const suffix of SIDE_FILES) if (calls.find(path + suffix) !== undefined) calls.unlink(path + suffix);
    calls.syncFolder(folder);
    yield;
    old = renameOver(join(folder, NEW_FILE), path, calls);
  } catch (error) {
    removeIfPossible(folder, calls);
    throw error;
  }
  try {
    calls.syncFolder(folder);
    yield;
    yield* shorten(old, calls);
  } finally {
    closeIfPossible(old, calls);
  }
}

/** Returns a handle of the file that was at `newPath`, if it could be held open. */
function renameOver(path: string, newPath: string, calls: FileCalls): number | undefined {
  const replaced = openIfPossible(newPath, calls);
  try {
    calls.rename(path, newPath);
    return replaced;
  } catch (error) {
    closeIfPossible(replaced, calls);
    if (replaced === undefined) throw error;
    calls.rename(path, newPath); // some file systems replace no file that is open
    return undefined;
  }
}

/** False if it is gone. */
function unlinkIfThere(path: string, calls: FileCalls): boolean {
  try {
    calls.unlink(path);
    return true;
  } catch (error) {
    if (calls.find(path) !== undefined) throw error;
    return false;
  }
}

/** A file that is gone is no failure: the copy for the list is replaced at any time. */
function* removeBitByBit(path: string, calls: FileCalls): CooperativeTask<void> {
  const handle = openIfPossible(path, calls);
  try {
    if (!unlinkIfThere(path, calls)) return;
    yield* shorten(handle, calls);
  } finally {
    closeIfPossible(handle, calls);
  }
}

/** Frees a file without a name; stops at a failure, since closing it frees the rest. */
function* shorten(handle: number | undefined, calls: FileCalls): CooperativeTask<void> {
  if (handle === undefined) return;
  try {
    for (let size = Number(calls.statHandle(handle).size); size > 0;) {
      size = Math.max(0, size - FREED_BYTES);
      calls.truncate(handle, size);
      yield;
    }
  } catch (error) {
    storageFailureOf(error); // rethrows a bug
  }
}

function openIfPossible(path: string, calls: FileCalls): number | undefined {
  try {
    return calls.open(path, fs.constants.O_RDWR, 0o600);
  } catch (error) {
    storageFailureOf(error); // rethrows a bug
    return undefined;
  }
}

function closeIfPossible(handle: number | undefined, calls: FileCalls): void {
  try {
    if (handle !== undefined) calls.close(handle);
  } catch (error) {
    storageFailureOf(error); // rethrows a bug
  }
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
