/** The real file calls of the replica's folder, with faults. */

import { type Dirent, existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FolderCalls, nodeFolderCalls } from "../../../src/adapters/node/replica/folderCalls.ts";
import { type Gate, type PutFault } from "./replicaFaults.ts";

/** System error code of a call that fails. */
export type CallFault = (call: keyof FolderCalls, path: string) => string | undefined;

export class FaultyFolder {
  /** Of the puts to come, in order. */
  readonly putFaults: (PutFault | Gate)[] = [];
  /** Of every call while set. */
  fails: CallFault = () => undefined;
  /** Listings while set; folders that were not read before are empty. */
  listed: Map<string, readonly Dirent[]> | undefined;

  readonly calls: FolderCalls = {
    entries: async (folder) => {
      this.#check("entries", folder);
      return this.listed === undefined ? await nodeFolderCalls.entries(folder) : (this.listed.get(folder) ?? []);
    },
    stat: async (path) => {
      this.#check("stat", path);
      return nodeFolderCalls.stat(path);
    },
    lstat: async (path) => {
      this.#check("lstat", path);
      return nodeFolderCalls.lstat(path);
    },
    readBytes: async (path) => {
      this.#check("readBytes", path);
      return nodeFolderCalls.readBytes(path);
    },
    writeNew: async (file, bytes, mode) => {
      this.#check("writeNew", file);
      // A put first finds that its folder is missing.
      const fault = existsSync(path.dirname(file)) ? this.putFaults.shift() : undefined;
      if (fault === "dropped") throw systemError("EIO", "writeNew");
      if (typeof fault === "object") await fault.pass();
      if (fault === "half") {
        writeFileSync(file, bytes.subarray(0, bytes.length >> 1), { flag: "wx" });
        throw systemError("EIO", "writeNew");
      }
      await nodeFolderCalls.writeNew(file, bytes, mode);
      if (fault === "doubled") await nodeFolderCalls.complete(file, bytes);
      if (fault === "answerLost") throw systemError("EIO", "writeNew");
    },
    complete: async (path, bytes) => {
      this.#check("complete", path);
      return nodeFolderCalls.complete(path, bytes);
    },
    makeFolder: async (folder, mode) => {
      this.#check("makeFolder", folder);
      return nodeFolderCalls.makeFolder(folder, mode);
    },
    unlink: async (path) => {
      this.#check("unlink", path);
      return nodeFolderCalls.unlink(path);
    },
    syncFolder: async (folder) => {
      this.#check("syncFolder", folder);
      return nodeFolderCalls.syncFolder(folder);
    },
  };

  #check(call: keyof FolderCalls, path: string): void {
    const code = this.fails(call, path);
    if (code !== undefined) throw systemError(code, call);
  }
}

function systemError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: ${call}`), { code });
}
