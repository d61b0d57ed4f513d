/** File calls of the storage worker that a test can observe, fail, or kill the process at. */

import { nodeFileCalls, type FileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";

/** A call about to be made. `path` of a handle is that of its opening. */
export interface FileCall {
  readonly name: keyof FileCalls;
  readonly index: number;
  readonly path: string;
}

/** Returns the system error code that the call fails with, or `undefined` to let it through. */
export type CallFault = (call: FileCall) => string | undefined;

/** The real calls with `fault`, which may be replaced at any time. */
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
      // Closes before failing, since an unclosed handle would stay open for the rest of the test.
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

  /** Restarts the count at 0 with another `fault`. */
  restart(fault: CallFault = () => undefined): void {
    this.#index = 0;
    this.fault = fault;
  }

  /** Number of calls since `restart`. */
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
