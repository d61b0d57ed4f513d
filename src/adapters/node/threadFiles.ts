/**
 * File calls that hold the thread, for threads that nobody waits for: each takes some microseconds, of which an
 * asynchronous one takes several times as many. Syncs take milliseconds, and remain asynchronous.
 */

import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { nodeFiles, READING, type Files } from "./files.ts";

export const threadFiles: Files = {
  ...nodeFiles,
  list: (folder) => now(() => readdirSync(folder)),
  readText: (path) =>
    now(() => {
      const file = openSync(path, READING);
      try {
        return readFileSync(file, "utf8");
      } finally {
        closeSync(file);
      }
    }),
  writeNew: (path, content, options) =>
    options?.isDurable === true
      ? nodeFiles.writeNew(path, content, options)
      : now(() => {
          writeFileSync(path, content, { flag: "wx", mode: 0o600 });
        }),
  overwrite: (path, text) =>
    now(() => {
      const file = openSync(path, "r+");
      try {
        writeSync(file, text, 0);
      } finally {
        closeSync(file);
      }
    }),
  link: (path, newPath) =>
    now(() => {
      linkSync(path, newPath);
    }),
  rename: (path, newPath) =>
    now(() => {
      renameSync(path, newPath);
    }),
  unlink: (path) =>
    now(() => {
      unlinkSync(path);
    }),
  makeFolder: (folder) =>
    now(() => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }),
};

/** Rejects with an error that `call` throws. */
function now<T>(call: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(call());
  });
}
