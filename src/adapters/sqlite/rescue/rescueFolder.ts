/**
 * Replaces a damaged database with one that contains everything readable; the damaged files are preserved next to it.
 *
 *   keep   damaged-N.sqlite and its log: hard links to (or copies of) the damaged files
 *   mark   rescue.json names N and what was known: from now on opening fails, and a rescue restarts from the preserved
 *          files
 *   build  rescued.sqlite from the preserved files
 *   swap   remove the old log, rename the new file over the old one, remove the mark
 *
 * A crash at any point loses nothing: before the mark nothing has changed, after it the preserved files count.
 */

import { join } from "node:path";
import type { StorageFailed } from "../../../core/errors.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { configure, migrate, newerVersion, SCHEMA_VERSION } from "../schema.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { storageFailureOf } from "../storageErrors.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import { knownContent, readFileText, setKnownContent, writeDurably, type KnownContent } from "../knownContent.ts";
import { DatabasePages } from "../pages/databasePages.ts";
import { rebuild, type Rebuilt } from "./rebuild.ts";
import { salvage } from "./salvage.ts";

export interface RescueReport extends Rebuilt {
  /** Name of the damaged file in the conversation's folder. */
  readonly preservedAs: string;
  /** Number of messages that were stored, as far as is known. */
  readonly messagesKnown: number;
}

const MARK = "rescue.json";
const NEW_FILE = "rescued.sqlite";
const LOG = "-wal";
const MARK_BYTES = 256;

export function isRescueUnderWay(folder: string, calls: FileCalls): boolean {
  return calls.find(join(folder, MARK)) !== undefined;
}

/** The lease of `folder` must be held and its file must not be open. That of a newer Forge is left to the newer Forge. */
export function rescueFolder(folder: string, shim: SqlJsShim): Result<RescueReport, StorageFailed> {
  const { calls } = shim.files;
  try {
    const mark = readMark(folder, calls);
    const version = versionOf(join(folder, mark?.preservedAs ?? DATABASE_FILE), calls);
    if (version > SCHEMA_VERSION) return err(newerVersion(version));
    const { preservedAs, messagesKnown } = mark ?? preserve(folder, calls);
    const rebuilt = build(folder, preservedAs, shim);
    swap(folder, calls, rebuilt.stored);
    return ok({ ...rebuilt, preservedAs, messagesKnown });
  } catch (error) {
    return err(storageFailureOf(error));
  }
}

function versionOf(path: string, calls: FileCalls): number {
  if (calls.find(path) === undefined) return 0;
  const pages = new DatabasePages(calls, path);
  try {
    return pages.schemaVersion;
  } finally {
    pages.close();
  }
}

interface Mark {
  readonly preservedAs: string;
  readonly messagesKnown: number;
}

function readMark(folder: string, calls: FileCalls): Mark | undefined {
  const mark = join(folder, MARK);
  if (calls.find(mark) === undefined) return undefined;
  const [preservedAs = "", known = ""] = readFileText(mark, calls, MARK_BYTES).split("\n");
  return /^damaged-\d+\.sqlite$/.test(preservedAs) ? { preservedAs, messagesKnown: Number(known) || 0 } : undefined;
}

function preserve(folder: string, calls: FileCalls): Mark {
  let number = 1;
  const name = (): string => `damaged-${number}.sqlite`;
  while (calls.find(join(folder, name())) !== undefined || calls.find(join(folder, name() + LOG)) !== undefined)
    number++;
  for (const suffix of [LOG, ""]) {
    const from = join(folder, DATABASE_FILE + suffix);
    if (calls.find(from) !== undefined) calls.linkOrCopy(from, join(folder, name() + suffix));
  }
  calls.syncFolder(folder);
  const mark = { preservedAs: name(), messagesKnown: knownContent(folder, calls).messages };
  writeDurably(join(folder, MARK), `${mark.preservedAs}\n${String(mark.messagesKnown)}\n`, calls);
  return mark;
}

function build(folder: string, preservedAs: string, shim: SqlJsShim): Rebuilt {
  const { calls } = shim.files;
  const path = join(folder, NEW_FILE);
  for (const suffix of ["", LOG, "-journal"]) if (calls.find(path + suffix) !== undefined) calls.unlink(path + suffix);
  const pages = new DatabasePages(calls, join(folder, preservedAs));
  try {
    const found = salvage(pages);
    const engine = openSqlJsEngine(shim, path);
    try {
      configure(engine);
      migrate(engine);
      return rebuild(engine, found);
    } finally {
      engine.close(); // checkpoints and removes the log
    }
  } finally {
    pages.close();
  }
}

function swap(folder: string, calls: FileCalls, stored: KnownContent): void {
  const old = join(folder, DATABASE_FILE);
  // The old log must be durably removed first: SQLite would replay it into whatever file has the database's name.
  if (calls.find(old + LOG) !== undefined) calls.unlink(old + LOG);
  if (calls.find(`${old}-journal`) !== undefined) calls.unlink(`${old}-journal`);
  calls.syncFolder(folder);
  calls.rename(join(folder, NEW_FILE), old);
  calls.syncFolder(folder);
  setKnownContent(folder, calls, stored);
  calls.unlink(join(folder, MARK));
  calls.syncFolder(folder);
}
