/**
 * Read-only file calls, for searching closed conversations and for files of a newer Forge, whose rules are unknown.
 * A file that SQLite wants to create, such as a log, is emulated as an empty one.
 */

import fs from "node:fs";
import { folderOf, type FileCalls } from "./fileCalls.ts";

/** Reads go to `real`; every modification fails with `EROFS`. */
export function readOnlyCalls(real: FileCalls): FileCalls {
  const emptyFiles = new Map<number, string>();
  let nextHandle = -1; // real handles are never negative
  const refuse = (): never => {
    throw Object.assign(new Error("the file is only read"), { code: "EROFS" });
  };
  return {
    ...real,
    open: (path, flags, mode) => {
      if ((flags & fs.constants.O_CREAT) === 0 || real.find(path) !== undefined) {
        return real.open(path, fs.constants.O_RDONLY, mode);
      }
      emptyFiles.set(nextHandle, path);
      return nextHandle--;
    },
    close: (handle) => {
      if (!emptyFiles.delete(handle)) real.close(handle);
    },
    read: (handle, ...rest) => (emptyFiles.has(handle) ? 0 : real.read(handle, ...rest)),
    statHandle: (handle) => {
      const path = emptyFiles.get(handle);
      return path === undefined ? real.statHandle(handle) : Object.assign(real.stat(folderOf(path)), { size: 0n });
    },
    write: refuse,
    truncate: refuse,
    unlink: refuse,
    rename: refuse,
    linkOrCopy: refuse,
    sync: () => undefined,
    syncFolder: () => undefined,
  };
}
