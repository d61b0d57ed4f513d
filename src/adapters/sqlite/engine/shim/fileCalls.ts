/**
 * The file calls that the store's worker makes: all of them, and nothing else. A test puts another implementation in
 * their place to make one fail, to kill the process at one, or to record what a power cut would leave.
 */

import fs from "node:fs";
import { dirname } from "node:path";

/** What the shim asks of the operating system. Failures throw as Node's own file calls do, with a `code`. */
export interface FileCalls {
  /** `flags` are those of `fs.constants`; answers a handle. */
  open(path: string, flags: number, mode: number): number;
  close(handle: number): void;
  /** Reads into `bytes`; answers how much was there, 0 at the end of the file. */
  read(handle: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  /** Writes some of `bytes`; answers how much. */
  write(handle: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  /** Returns once the file's content and size are on the medium. */
  sync(handle: number): void;
  /** Returns once the names in the folder are on the medium; does nothing where folders cannot be synced. */
  syncFolder(path: string): void;
  truncate(handle: number, sizeBytes: number): void;
  statHandle(handle: number): fs.BigIntStats;
  stat(path: string): fs.BigIntStats;
  lstat(path: string): fs.BigIntStats;
  /** Throws unless the file may be used as `mode` says. */
  access(path: string, mode: number): void;
  unlink(path: string): void;
  /** Takes another name, which may be taken already: whoever has that name sees the old file or the new one. */
  rename(path: string, newPath: string): void;
  /** Gives a second name to a file, or makes a copy where that cannot be; what bears it stays when the first is replaced. */
  keep(path: string, newPath: string): void;
  /** Names in a folder, in no order. */
  list(folder: string): readonly string[];
  /** Like `stat`, with `undefined` where nothing has that name. */
  find(path: string): fs.BigIntStats | undefined;
}

const bigint = { bigint: true } as const;

/** The real calls. `sync` is `fdatasync`: the size counts, times of access do not. */
export const nodeFileCalls: FileCalls = {
  open: (path, flags, mode) => fs.openSync(path, flags, mode),
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
    fs.renameSync(path, newPath);
  },
  keep,
  list: (folder) => fs.readdirSync(folder),
  find: (path) => fs.statSync(path, { bigint: true, throwIfNoEntry: false }),
};

function keep(path: string, newPath: string): void {
  try {
    fs.linkSync(path, newPath);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || code === "EEXIST" || code === "ENOENT") throw error;
    fs.copyFileSync(path, newPath, fs.constants.COPYFILE_EXCL); // the file system knows no second names
    const handle = fs.openSync(newPath, fs.constants.O_RDWR);
    fs.fsyncSync(handle);
    fs.closeSync(handle);
  }
}

/** How file systems that sync files alone refuse folders: some shared, network and user-space ones. */
const NO_FOLDER_SYNC: readonly unknown[] = ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const handle = fs.openSync(path, fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(handle);
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(codeOf(error))) throw error;
  } finally {
    fs.closeSync(handle);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The folder in which a file lies. */
export function folderOf(path: string): string {
  return dirname(path);
}
