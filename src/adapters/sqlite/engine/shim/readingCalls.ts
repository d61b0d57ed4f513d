/**
 * File calls that change nothing: for files that were written by a newer Forge, and whose rules are not known here. A log
 * that SQLite would make is an empty one that exists only here.
 */

import fs from "node:fs";
import { folderOf, type FileCalls } from "./fileCalls.ts";

/** `real`, as far as it reads. Whatever would change something fails with `EROFS`. */
export function readingCalls(real: FileCalls): FileCalls {
  const emptyFiles = new Map<number, string>();
  let nextHandle = -1; // the system's own are never negative
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
    keep: refuse,
    sync: () => undefined,
    syncFolder: () => undefined,
  };
}
