/** File calls of the storage worker, each of which a test can watch, make fail, or stop the process at. */

import { nodeFileCalls, type FileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";

/** A call about to be made. `path` is known for those by name, and for handles by the name that they were opened with. */
export interface FileCall {
  readonly name: keyof FileCalls;
  /** Counts from 0. */
  readonly index: number;
  readonly path: string;
}

/** Answers the system code that the call fails with, or lets it through. */
export type CallFault = (call: FileCall) => string | undefined;

/** The real calls behind `fault`, which may be exchanged at any time. */
export class FaultyCalls {
  fault: CallFault = () => undefined;
  readonly calls: FileCalls;
  #index = 0;
  readonly #names = new Map<number, string>();

  constructor(real: FileCalls = nodeFileCalls) {
    this.calls = {
      open: (path, flags, mode) => {
        const handle = this.#guard("open", path, () => real.open(path, flags, mode));
        this.#names.set(handle, path);
        return handle;
      },
      // A handle that is not closed would stay open for the rest of the test, so this one goes through and then fails.
      close: (handle) => {
        real.close(handle);
        this.#guard("close", this.#name(handle), () => undefined);
      },
      read: (handle, ...rest) => this.#guard("read", this.#name(handle), () => real.read(handle, ...rest)),
      write: (handle, ...rest) => this.#guard("write", this.#name(handle), () => real.write(handle, ...rest)),
      sync: (handle) => this.#guard("sync", this.#name(handle), () => real.sync(handle)),
      syncFolder: (path) => this.#guard("syncFolder", path, () => real.syncFolder(path)),
      truncate: (handle, size) => this.#guard("truncate", this.#name(handle), () => real.truncate(handle, size)),
      statHandle: (handle) => this.#guard("statHandle", this.#name(handle), () => real.statHandle(handle)),
      stat: (path) => this.#guard("stat", path, () => real.stat(path)),
      lstat: (path) => this.#guard("lstat", path, () => real.lstat(path)),
      access: (path, mode) => this.#guard("access", path, () => real.access(path, mode)),
      unlink: (path) => this.#guard("unlink", path, () => real.unlink(path)),
      rename: (path, to) => this.#guard("rename", path, () => real.rename(path, to)),
      linkOrCopy: (path, to) => this.#guard("linkOrCopy", path, () => real.linkOrCopy(path, to)),
      list: (folder) => this.#guard("list", folder, () => real.list(folder)),
      find: (path) => this.#guard("find", path, () => real.find(path)),
    };
  }

  /** Counts from 0 again and lets every call through that `fault` does not stop. */
  restart(fault: CallFault = () => undefined): void {
    this.#index = 0;
    this.fault = fault;
  }

  /** How many calls were made since `restart`. */
  get count(): number {
    return this.#index;
  }

  #name(handle: number): string {
    return this.#names.get(handle) ?? "";
  }

  #guard<T>(name: keyof FileCalls, path: string, call: () => T): T {
    const code = this.fault({ name, path, index: this.#index++ });
    if (code !== undefined) throw Object.assign(new Error(`${code}: ${name} ${path}`), { code });
    return call();
  }
}
