/**
 * All file calls outside the storage worker, so that a test can make any of them fail.
 * Everything is created with permissions for the user only.
 */

import { randomUUID } from "node:crypto";
import { constants, statSync, type Stats } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { storageFailed, type StorageFailed } from "../../core/errors.ts";
import { hasUnixFiles, renameWhenFree } from "../../core/store/systemFiles.ts";

/** Failures reject with Node's system errors, with a `code`. */
export interface Files {
  /** Names in no particular order. */
  list(folder: string): Promise<readonly string[]>;
  readText(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  /** The first `count` bytes, or fewer if the file is shorter. */
  readStart(path: string, count: number): Promise<Uint8Array>;
  /** `count` bytes from `start` on, or fewer if the file ends before. */
  readPart(path: string, start: number, count: number): Promise<Uint8Array>;
  /** Rejects with `EEXIST` if the file exists. With `isDurable`, the content is on disk on return. */
  writeNew(path: string, content: string | Uint8Array, options?: Durability): Promise<void>;
  /** Appends in a single write; creates the file if missing. */
  append(path: string, text: string): Promise<void>;
  /** Replaces the start of a file that exists, in a single write, without needing space; its length stays. */
  overwrite(path: string, text: string): Promise<void>;
  /** Hard link; rejects with `EEXIST` if `newPath` exists. */
  link(path: string, newPath: string): Promise<void>;
  /** Tries again for a moment while another process has the file open. */
  rename(path: string, newPath: string): Promise<void>;
  truncate(path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  removeEmptyFolder(folder: string): Promise<void>;
  /** Creates the folder and its parents; a no-op if it exists. */
  makeFolder(folder: string): Promise<void>;
  stat(path: string): Promise<Stats>;
  /**
   * Holds the thread, for 4 µs instead of the 25 that the other takes: for thousands of files, in slices, and after an
   * asynchronous call has shown that the disk answers.
   */
  statNow(path: string): Stats;
  /** Does not follow symbolic links. */
  lstat(path: string): Promise<Stats>;
  /** Makes the names in the folder durable; a no-op where folders cannot be synced. */
  syncFolder(folder: string): Promise<void>;
}

/** Without waiting: a named pipe in the place of a file is read as empty. */
export const READING = constants.O_RDONLY | (hasUnixFiles(process.platform) ? constants.O_NONBLOCK : 0);

export interface Durability {
  readonly isDurable?: boolean;
}

export const nodeFiles: Files = {
  list: (folder) => fs.readdir(folder),
  readText: (path) => fs.readFile(path, { encoding: "utf8", flag: READING }),
  readStart: (path, count) => readPart(path, 0, count),
  readPart,
  readBytes: (path) => fs.readFile(path, { flag: READING }),
  writeNew: (path, content, { isDurable = false } = {}) =>
    fs.writeFile(path, content, { flag: "wx", mode: 0o600, flush: isDurable }),
  append: (path, text) => fs.appendFile(path, text, { mode: 0o600 }),
  overwrite: async (path, text) => {
    const file = await fs.open(path, "r+");
    try {
      await file.write(text, 0);
    } finally {
      await file.close();
    }
  },
  link: (path, newPath) => fs.link(path, newPath),
  rename: (path, newPath) => renameWhenFree(() => fs.rename(path, newPath), wait),
  truncate: (path) => fs.truncate(path),
  unlink: (path) => fs.unlink(path),
  removeEmptyFolder: (folder) => fs.rmdir(folder),
  makeFolder: async (folder) => {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  },
  stat: (path) => fs.stat(path),
  statNow: (path) => statSync(path),
  lstat: (path) => fs.lstat(path),
  syncFolder,
};

async function readPart(path: string, start: number, count: number): Promise<Uint8Array> {
  const file = await fs.open(path, READING);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(count), 0, count, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Errors of file systems that cannot sync folders, or anything: some shared, network and user-space ones. */
const NO_SYNC: readonly (string | undefined)[] = ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

async function syncFolder(folder: string): Promise<void> {
  if (!hasUnixFiles(process.platform)) return;
  const handle = await fs.open(folder, constants.O_RDONLY);
  try {
    await syncIfPossible(handle);
  } finally {
    await handle.close();
  }
}

/** A no-op where such files cannot be synced. */
export async function syncIfPossible(file: FileHandle): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    if (!NO_SYNC.includes(systemErrorCode(error))) throw error;
  }
}

/** Name prefix of files that will be renamed or linked. One left by a crash can be deleted. */
export const TEMPORARY_PREFIX = "tmp.";

/**
 * Atomically replaces or creates the file at `path`; readers see the old content or the new one. Where only the content is
 * durable, a crash may leave the old one until the folder is synced.
 */
export async function replaceFile(
  files: Files,
  path: string,
  content: string | Uint8Array,
  { isDurable = false }: { readonly isDurable?: boolean | "content" } = {},
): Promise<void> {
  const temporary = join(dirname(path), TEMPORARY_PREFIX + randomUUID());
  await files.writeNew(temporary, content, { isDurable: isDurable !== false });
  try {
    await files.rename(temporary, path);
  } catch (error) {
    await unlinkIfThere(files, temporary);
    throw error;
  }
  if (isDurable === true) await files.syncFolder(dirname(path));
}

export async function unlinkIfThere(files: Files, path: string): Promise<void> {
  try {
    await files.unlink(path);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
}

/** Resolves with `undefined` on `ENOENT`. */
export async function undefinedIfMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Code of a system error, such as `ENOENT`; `undefined` for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Converts a system error; rethrows any other error, which is a bug. */
export function fileFailure(error: unknown): StorageFailed {
  const code = systemErrorCode(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  return storageFailed(code, error.message);
}
