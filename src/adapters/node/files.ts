/**
 * The file calls that are made outside the storage worker: all of them, so that a test can make any one fail.
 * Everything that is written is readable by the user alone.
 */

import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { storageFailed, type StorageFailed } from "../../core/errors.ts";

/** What this folder's code asks of the file system. Failures reject as Node's own calls do, with a `code`. */
export interface Files {
  /** Names in a folder, in no order. */
  list(folder: string): Promise<readonly string[]>;
  readText(path: string): Promise<string>;
  /** The first `count` bytes, fewer when the file is shorter. */
  readStart(path: string, count: number): Promise<Uint8Array>;
  /** Writes a file that does not exist yet; rejects with `EEXIST` when it does. */
  writeNew(path: string, text: string): Promise<void>;
  /** Adds to the end of a file, in one write; makes the file where there is none. */
  append(path: string, text: string): Promise<void>;
  /** Gives a second name to a file; rejects with `EEXIST` when the name is taken. */
  link(path: string, newPath: string): Promise<void>;
  rename(path: string, newPath: string): Promise<void>;
  truncate(path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes a folder that is empty. */
  removeEmptyFolder(folder: string): Promise<void>;
  /** Makes a folder and those above it; does nothing when it is there. */
  makeFolder(folder: string): Promise<void>;
  stat(path: string): Promise<Stats>;
  /** Like `stat`; of a symbolic link it tells of the link. */
  lstat(path: string): Promise<Stats>;
  /** Returns once the names in the folder are on the medium; does nothing where that cannot be asked. */
  syncFolder(folder: string): Promise<void>;
}

/** The real calls. */
export const nodeFiles: Files = {
  list: (folder) => fs.readdir(folder),
  readText: (path) => fs.readFile(path, "utf8"),
  readStart,
  writeNew: (path, text) => fs.writeFile(path, text, { flag: "wx", mode: 0o600 }),
  append: (path, text) => fs.appendFile(path, text, { mode: 0o600 }),
  link: (path, newPath) => fs.link(path, newPath),
  rename: (path, newPath) => fs.rename(path, newPath),
  truncate: (path) => fs.truncate(path),
  unlink: (path) => fs.unlink(path),
  removeEmptyFolder: (folder) => fs.rmdir(folder),
  makeFolder: async (folder) => {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  },
  stat: (path) => fs.stat(path),
  lstat: (path) => fs.lstat(path),
  syncFolder,
};

async function readStart(path: string, count: number): Promise<Uint8Array> {
  const file = await fs.open(path, constants.O_RDONLY);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** How file systems that sync files alone refuse folders: some shared, network and user-space ones. */
const NO_FOLDER_SYNC: readonly (string | undefined)[] = ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await fs.open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Names of files that are on their way to another name. One left by a crash is of no use to anybody. */
export const TEMPORARY_PREFIX = "tmp.";

/** Replaces the file at `path` by one that holds `text`: whoever reads sees the old one or the new one, whole. */
export async function replaceFile(files: Files, path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), TEMPORARY_PREFIX + randomUUID());
  await files.writeNew(temporary, text);
  try {
    await renameOver(files, temporary, path);
  } catch (error) {
    await unlinkIfThere(files, temporary);
    throw error;
  }
}

/** Removes a file; that it is gone already is as good. */
export async function unlinkIfThere(files: Files, path: string): Promise<void> {
  try {
    await files.unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** What a call answers; `undefined` where what it names is not there. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The system's name of a failure, such as `ENOENT`; `undefined` for an error that is not the system's. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** What a failed file call means for what is stored; throws on any other error, which is a bug. */
export function fileFailure(error: unknown): StorageFailed {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  return storageFailed(code, error.message);
}

const RENAME_TRIES = 10;
const RENAME_PAUSE_MS = 20; // a virus scanner holds a new file for some tens of milliseconds

/** Windows refuses to rename over a file that somebody has open; a moment later it does not. */
async function renameOver(files: Files, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await files.rename(from, to);
      return;
    } catch (error) {
      const busy = codeOf(error) === "EPERM" || codeOf(error) === "EACCES" || codeOf(error) === "EBUSY";
      if (!busy || attempt === RENAME_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RENAME_PAUSE_MS));
    }
  }
}
