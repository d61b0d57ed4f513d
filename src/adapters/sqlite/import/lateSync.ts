/** Syncs files once, when all of them are written: nobody relies on an import before that. */

import fs from "node:fs";
import type { FileCalls } from "../engine/shim/fileCalls.ts";

export class LateSync {
  /** Those given, but for syncs: they are put off. */
  readonly calls: FileCalls;
  readonly #given: FileCalls;
  readonly #opened = new Map<number, string>();
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  constructor(given: FileCalls) {
    this.#given = given;
    this.calls = {
      ...given,
      open: (path, flags, mode) => {
        const handle = given.open(path, flags, mode);
        this.#opened.set(handle, path);
        return handle;
      },
      sync: (handle) => {
        const path = this.#opened.get(handle);
        if (path === undefined) given.sync(handle);
        else this.#files.add(path);
      },
      syncFolder: (path) => {
        this.#folders.add(path);
      },
      unlink: (path) => {
        given.unlink(path);
        this.#files.delete(path);
      },
    };
  }

  /** Makes all durable that was to be synced. Throws the system's error. */
  sync(): void {
    for (const path of this.#files) {
      const handle = this.#given.open(path, fs.constants.O_RDWR, 0);
      try {
        this.#given.sync(handle);
      } finally {
        this.#given.close(handle);
      }
    }
    for (const path of this.#folders) this.#given.syncFolder(path);
    this.#files.clear();
    this.#folders.clear();
  }
}
