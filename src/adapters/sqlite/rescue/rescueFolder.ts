/**
 * Replaces a damaged database with one that contains everything readable; the damaged files are preserved next to it.
 *
 *   keep   damaged-N.sqlite and its log: hard links to (or copies of) the damaged files
 *   mark   rescue.json names N: from now on opening fails, and a rescue restarts from the preserved files
 *   build  rescued.sqlite from the preserved files
 *   swap   remove the old log, rename the new file over the old one, remove the mark
 *
 * A crash at any point loses nothing: before the mark nothing has changed, after it the preserved files count.
 */

import fs from "node:fs";
import { join } from "node:path";
import type { StorageFailed } from "../../../core/errors.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { configure, migrate } from "../schema.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { storageFailureOf } from "../storageErrors.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import { DatabasePages } from "./databasePages.ts";
import { rebuild, type Rebuilt } from "./rebuild.ts";
import { salvage } from "./salvage.ts";

export interface RescueReport extends Rebuilt {
  /** Name of the damaged file in the conversation's folder. */
  readonly preservedAs: string;
}

const MARK = "rescue.json";
const NEW_FILE = "rescued.sqlite";
const LOG = "-wal";

export function isRescueUnderWay(folder: string, calls: FileCalls): boolean {
  return calls.find(join(folder, MARK)) !== undefined;
}

/** The lease of `folder` must be held and its file must not be open. */
export function rescueFolder(folder: string, shim: SqlJsShim): Result<RescueReport, StorageFailed> {
  const { calls } = shim.files;
  try {
    const preservedAs = markedName(folder, calls) ?? preserve(folder, calls);
    const rebuilt = build(folder, preservedAs, shim);
    swap(folder, calls);
    return ok({ ...rebuilt, preservedAs: preservedAs });
  } catch (error) {
    return err(storageFailureOf(error));
  }
}

function markedName(folder: string, calls: FileCalls): string | undefined {
  const mark = join(folder, MARK);
  if (calls.find(mark) === undefined) return undefined;
  const name = readText(calls, mark).trim();
  return /^damaged-\d+\.sqlite$/.test(name) ? name : undefined;
}

function preserve(folder: string, calls: FileCalls): string {
  let number = 1;
  const name = (): string => `damaged-${number}.sqlite`;
  while (calls.find(join(folder, name())) !== undefined || calls.find(join(folder, name() + LOG)) !== undefined)
    number++;
  for (const suffix of [LOG, ""]) {
    const from = join(folder, DATABASE_FILE + suffix);
    if (calls.find(from) !== undefined) calls.linkOrCopy(from, join(folder, name() + suffix));
  }
  calls.syncFolder(folder);
  writeText(calls, join(folder, MARK), `${name()}\n`);
  calls.syncFolder(folder);
  return name();
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

function swap(folder: string, calls: FileCalls): void {
  const old = join(folder, DATABASE_FILE);
  // The old log must be durably removed first: SQLite would replay it into whatever file has the database's name.
  if (calls.find(old + LOG) !== undefined) calls.unlink(old + LOG);
  if (calls.find(`${old}-journal`) !== undefined) calls.unlink(`${old}-journal`);
  calls.syncFolder(folder);
  calls.rename(join(folder, NEW_FILE), old);
  calls.syncFolder(folder);
  calls.unlink(join(folder, MARK));
  calls.syncFolder(folder);
}

function writeText(calls: FileCalls, path: string, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  const { O_CREAT, O_TRUNC, O_WRONLY } = fs.constants;
  const handle = calls.open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600);
  try {
    for (let done = 0; done < bytes.length;) done += calls.write(handle, bytes, done, bytes.length - done, done);
    calls.sync(handle);
  } finally {
    calls.close(handle);
  }
}

function readText(calls: FileCalls, path: string): string {
  const handle = calls.open(path, fs.constants.O_RDONLY, 0);
  try {
    const bytes = Buffer.alloc(64);
    return bytes.toString("utf8", 0, calls.read(handle, bytes, 0, bytes.length, 0));
  } finally {
    calls.close(handle);
  }
}
