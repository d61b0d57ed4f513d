/** File calls of the replica's folder, so that a test can make any of them fail. */

import type { Dirent, Stats } from "node:fs";
import fs from "node:fs/promises";
import type { Clock } from "../../../core/clock.ts";
import { MOST_OBJECT_BYTES } from "../../../core/replica/logReplica.ts";
import { nodeFiles, READING, syncIfPossible } from "../files.ts";

/** Failures reject with Node's system errors, with a `code`. */
export interface FolderCalls {
  entries(folder: string): Promise<readonly Dirent[]>;
  stat(path: string): Promise<Stats>;
  /** Does not follow symbolic links. */
  lstat(path: string): Promise<Stats>;
  /** Rejects with `ERR_FS_FILE_TOO_LARGE` above {@link MOST_OBJECT_BYTES}. */
  readBytes(path: string): Promise<Uint8Array>;
  /** Rejects with `EEXIST` if there is something of that name. On disk on return. */
  writeNew(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  /** Writes `bytes` over a shorter file, in place. Another stays. On disk on return. */
  complete(path: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with `EEXIST` if there is something of that name, and with `ENOENT` if its parent is missing. */
  makeFolder(folder: string, mode: number): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes the names in the folder durable; a no-op where folders cannot be synced. */
  syncFolder(folder: string): Promise<void>;
}

export const nodeFolderCalls: FolderCalls = {
  entries: (folder) => fs.readdir(folder, { withFileTypes: true }),
  stat: (path) => nodeFiles.stat(path),
  lstat: (path) => nodeFiles.lstat(path),
  readBytes: async (path) => {
    const file = await fs.open(path, READING);
    try {
      const { size } = await file.stat();
      if (size > MOST_OBJECT_BYTES) throw tooLarge(path);
      const { buffer, byteOffset, length } = await file.readFile();
      return new Uint8Array(buffer, byteOffset, length); // no `Buffer`, whose `slice` shares memory
    } finally {
      await file.close();
    }
  },
  writeNew: (path, bytes, mode) => writeDurably(path, "wx", bytes, mode),
  complete: async (path, bytes) => {
    const { size } = await fs.stat(path);
    await writeDurably(path, "r+", size < bytes.length ? bytes : new Uint8Array());
  },
  makeFolder: async (folder, mode) => {
    await fs.mkdir(folder, { mode });
  },
  unlink: (path) => nodeFiles.unlink(path),
  syncFolder: (folder) => nodeFiles.syncFolder(folder),
};

function tooLarge(path: string): Error {
  const code = "ERR_FS_FILE_TOO_LARGE";
  return Object.assign(new Error(`${code}: more than ${MOST_OBJECT_BYTES} bytes, read '${path}'`), { code });
}

/** From the start of the file, which may be longer. */
async function writeDurably(path: string, flags: "wx" | "r+", bytes: Uint8Array, mode?: number): Promise<void> {
  const file = await fs.open(path, flags, mode);
  try {
    let written = 0;
    while (written < bytes.length) {
      written += (await file.write(bytes, written, bytes.length - written, written)).bytesWritten;
    }
    await syncIfPossible(file);
  } finally {
    await file.close(); // some network file systems report a full disk only here
  }
}

/**
 * Calls at the same time. A share that hangs holds a thread for each, and Node has four of them for all files of the
 * extension host.
 */
const MOST_AT_ONCE = 2;
/** Silence after which a call counts as failed. It goes on, and holds its place. */
const LONGEST_CALL_MS = 60_000;

/** Rejects with `ETIMEDOUT` for a share that hangs. */
export function limitedCalls(calls: FolderCalls, clock: Clock): FolderCalls {
  const lanes = new Lanes(clock);
  return {
    entries: (folder) => lanes.run(() => calls.entries(folder)),
    stat: (path) => lanes.run(() => calls.stat(path)),
    lstat: (path) => lanes.run(() => calls.lstat(path)),
    readBytes: (path) => lanes.run(() => calls.readBytes(path)),
    writeNew: (path, bytes, mode) => lanes.run(() => calls.writeNew(path, bytes, mode)),
    complete: (path, bytes) => lanes.run(() => calls.complete(path, bytes)),
    makeFolder: (folder, mode) => lanes.run(() => calls.makeFolder(folder, mode)),
    unlink: (path) => lanes.run(() => calls.unlink(path)),
    syncFolder: (folder) => lanes.run(() => calls.syncFolder(folder)),
  };
}

interface WaitingCall {
  readonly begin: () => void;
  readonly refuse: () => void;
}

class Lanes {
  readonly #clock: Clock;
  readonly #waiting: WaitingCall[] = [];
  #running = 0;
  #overdue = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  run<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => {
        reject(Object.assign(new Error("ETIMEDOUT: the folder does not answer"), { code: "ETIMEDOUT" }));
      };
      const begin = (): void => {
        this.#begin(() => call().then(resolve, reject), refuse);
      };
      this.#waiting.push({ begin, refuse });
      this.#beginNext();
    });
  }

  #begin(settle: () => Promise<void>, refuse: () => void): void {
    this.#running++;
    let isOverdue = false;
    const stop = this.#clock.after(LONGEST_CALL_MS, () => {
      isOverdue = true;
      this.#overdue++;
      refuse();
      this.#beginNext();
    });
    void settle().then(() => {
      stop();
      this.#running--;
      if (isOverdue) this.#overdue--;
      this.#beginNext();
    });
  }

  #beginNext(): void {
    if (this.#overdue === MOST_AT_ONCE) for (const { refuse } of this.#waiting.splice(0)) refuse();
    else if (this.#running < MOST_AT_ONCE) this.#waiting.shift()?.begin();
  }
}
