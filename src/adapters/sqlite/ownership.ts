/** Whether this process may still write the open file. Once ownership has ended, only reopening restores it. */

import type { StorageFailed } from "../../core/errors.ts";
import type { HostFiles } from "./engine/shim/hostFiles.ts";
import { storageFailureOf } from "./storageErrors.ts";

export class Ownership {
  readonly #files: HostFiles;
  readonly #leaseFile: string | undefined;
  #end: StorageFailed | undefined;

  constructor(files: HostFiles, leaseFile: string | undefined) {
    this.#files = files;
    this.#leaseFile = leaseFile;
  }

  /**
   * Why writing is no longer allowed; `undefined` while it is. Once ended, not a byte is written, not even when the
   * database is closed. Throws when the check itself fails.
   */
  ended(): StorageFailed | undefined {
    if (this.#end === undefined) {
      const why = this.#look();
      if (why !== undefined) this.end({ code: "STORAGE_FAILED", reason: "fileGone", detail: why });
    }
    return this.#end;
  }

  /** Call before closing the file: if the ownership cannot be checked, it ends. */
  endIfUnsure(): void {
    try {
      this.ended();
    } catch (error) {
      this.end(storageFailureOf(error));
    }
  }

  /** Stops all writing. Also called for a damaged file, which stays unchanged for the rescue. */
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
