/** Messages between the host and the thread that reads the folders around a command. */

import type { EndedCommand, RunCommand } from "../../adapters/node/checkpoints/commandFiles.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";

/** The thread's `workerData`. */
export interface CommandTask {
  /** Folder of what is kept of the conversation. */
  readonly kept: string;
  /** Absolute path of the program; absent: git is not used. */
  readonly git?: string;
  /** Absent: the command has ended. */
  readonly begins?: { readonly command: RunCommand; readonly folders: readonly string[] };
}

/** `undefined` after the beginning, and where no command ran. */
export type CommandTaskAnswer = Result<EndedCommand | undefined, StorageFailed>;
