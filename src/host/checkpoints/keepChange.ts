import type { StorageFailed } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";
import type { ChangedFile } from "./fileStates.ts";

/** A change of one file that is kept and about to be made. */
export interface KeptChange {
  /** Gives it another content, where it turned out otherwise. */
  correct(after: Uint8Array | undefined): Promise<Result<unknown, StorageFailed>>;
}

/** Keeps what a tool is about to change, durably; `title` is that of the call. */
export type KeepChange = (title: string, file: ChangedFile) => Promise<Result<KeptChange, StorageFailed>>;
