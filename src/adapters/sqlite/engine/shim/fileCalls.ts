/**
 * All file calls of the storage worker. Tests substitute an implementation that fails, kills the process at a given
 * call, or records what a power cut would leave.
 */

import fs from "node:fs";
import { dirname } from "node:path";
import { hasUnixFiles, renameWhenFreeSync } from "../../../../core/store/systemFiles.ts";

/** Synchronous. Failures throw Node's system errors, with a `code`. */
export interface FileCalls {
  /** `flags` are those of `fs.constants`; returns a handle. */
  open(path: string, flags: number, mode: number): number;
  close(handle: number): void;
  /** Returns the number of bytes read, 0 at the end of the file. */
  read(handle: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  /** Returns the number of bytes written, which may be less than `length`. */
  write(handle: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  /** Makes the file's content and size durable. */
  sync(handle: number): void;
  /** Makes the names in the folder durable; a no-op where folders cannot be synced. */
  syncFolder(path: string): void;
  truncate(handle: number, sizeBytes: number): void;
  statHandle(handle: number): fs.BigIntStats;
  stat(path: string): fs.BigIntStats;
  lstat(path: string): fs.BigIntStats;
  /** Throws unless `mode` is permitted. */
  access(path: string, mode: number): void;
  unlink(path: string): void;
  /** Atomically replaces an existing file at `newPath`; tries again for a moment while another process has it open. */
  rename(path: string, newPath: string): void;
  /** Hard link, or a synced copy where links are not supported: preserves the content when `path` is replaced. */
  linkOrCopy(path: string, newPath: string): void;
  /** Names in no particular order. */
  list(folder: string): readonly string[];
  /** Like `stat`, but `undefined` if the path does not exist. */
  find(path: string): fs.BigIntStats | undefined;
}

const bigint = { bigint: true } as const;

/** A named pipe in the place of a file is an error when it is read, and never waits for a writer. */
const WITHOUT_WAITING = hasUnixFiles(process.platform) ? fs.constants.O_NONBLOCK : 0;

/** `sync` is `fdatasync`: it includes the file size, but not the access times. */
export const nodeFileCalls: FileCalls = {
  open: (path, flags, mode) => fs.openSync(path, flags | WITHOUT_WAITING, mode),
  close: (handle) => {
    fs.closeSync(handle);
  },
  read: (handle, bytes, offset, length, position) => fs.readSync(handle, bytes, offset, length, position),
  write: (handle, bytes, offset, length, position) => fs.writeSync(handle, bytes, offset, length, position),
  sync: (handle) => {
    fs.fdatasyncSync(handle);
  },
  syncFolder,
  truncate: (handle, sizeBytes) => {
    fs.ftruncateSync(handle, sizeBytes);
  },
  statHandle: (handle) => fs.fstatSync(handle, bigint),
  stat: (path) => fs.statSync(path, bigint),
  lstat: (path) => fs.lstatSync(path, bigint),
  access: (path, mode) => {
    fs.accessSync(path, mode);
  },
  unlink: (path) => {
    fs.unlinkSync(path);
  },
  rename: (path, newPath) => {
    renameWhenFreeSync(() => {
      fs.renameSync(path, newPath);
    }, holdThread);
  },
  linkOrCopy,
  list: (folder) => fs.readdirSync(folder),
  find: (path) => fs.statSync(path, { bigint: true, throwIfNoEntry: false }),
};

function linkOrCopy(path: string, newPath: string): void {
  try {
    fs.linkSync(path, newPath);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || code === "EEXIST" || code === "ENOENT") throw error;
    fs.copyFileSync(path, newPath, fs.constants.COPYFILE_EXCL); // no hard links on this file system
    const handle = fs.openSync(newPath, fs.constants.O_RDWR);
    fs.fsyncSync(handle);
    fs.closeSync(handle);
  }
}

/** Errors of file systems that cannot sync folders: some shared, network and user-space ones. */
const NO_FOLDER_SYNC: readonly unknown[] = ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

function syncFolder(path: string): void {
  if (!hasUnixFiles(process.platform)) return;
  const handle = fs.openSync(path, fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(handle);
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(codeOf(error))) throw error;
  } finally {
    fs.closeSync(handle);
  }
}

function holdThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

export function folderOf(path: string): string {
  return dirname(path);
}
