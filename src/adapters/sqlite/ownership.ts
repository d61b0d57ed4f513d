/** Whether the open file may still be written by this process. Once it may not, it never may again: it is opened anew. */

import type { StorageFailed } from "../../core/errors.ts";
import type { HostFiles } from "./engine/shim/hostFiles.ts";
import { storageFailureOf } from "./storageErrors.ts";

/** Watches over one open database. */
export class Ownership {
  readonly #files: HostFiles;
  readonly #leaseFile: string | undefined;
  #end: StorageFailed | undefined;

  constructor(files: HostFiles, leaseFile: string | undefined) {
    this.#files = files;
    this.#leaseFile = leaseFile;
  }

  /**
   * Why nothing may be written any more; `undefined` while it may. From then on not a byte is written, not even when the
   * database is closed. Throws when it cannot be told at the moment.
   */
  ended(): StorageFailed | undefined {
    if (this.#end === undefined) {
      const why = this.#look();
      if (why !== undefined) this.end({ code: "STORAGE_FAILED", reason: "fileGone", detail: why });
    }
    return this.#end;
  }

  /** To be called before the file is closed: where it cannot be told whether it may be written, it is not. */
  endIfUnsure(): void {
    try {
      this.ended();
    } catch (error) {
      this.end(storageFailureOf(error));
    }
  }

  /** Ends it: a damaged file is left as it is, for the rescue to read. */
  end(why: StorageFailed): void {
    this.#end ??= why;
    this.#files.forbidWrites();
  }

  #look(): string | undefined {
    if (!this.#files.stillInPlace()) return "the conversation's file was removed or replaced";
    const isLeased = this.#leaseFile === undefined || this.#files.calls.find(this.#leaseFile) !== undefined;
    return isLeased ? undefined : "the conversation was taken over by another window";
  }
}
