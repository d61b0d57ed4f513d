import type { StorageFailed } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";
import type { KeptCommand } from "./commandStates.ts";
import type { ChangedFile } from "./fileStates.ts";

/** A change of one file that is kept and about to be made. */
export interface KeptChange {
  /** Gives it another content, where it turned out otherwise. */
  correct(after: Uint8Array | undefined): Promise<Result<unknown, StorageFailed>>;
}

/** Keeps what tools change, durably; titles are those of the calls. */
export interface KeepChanges {
  edit(title: string, file: ChangedFile): Promise<Result<KeptChange, StorageFailed>>;
  /** Says what of a command cannot be taken back. */
  commandNote(): string;
  /** Keeps the files as they are before `run` and after it; a failure means that it was not run. */
  command<T>(title: string, run: () => Promise<T>): Promise<Result<KeptCommand<T>, StorageFailed>>;
}
