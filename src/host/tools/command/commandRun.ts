/** Request and result of a command. */

/** A command as the user agreed to it. */
export interface CommandRequest {
  readonly command: string;
  /** Absolute path. */
  readonly folder: string;
  /** Path of the shell. */
  readonly shell: string;
  readonly limitMs: number;
}

/** `exitCode` is undefined where a signal ended it. */
export type CommandEnd =
  | { readonly kind: "ended"; readonly exitCode: number | undefined }
  /** `waitsAt`: it was silent, and seems to have waited for an answer; the line that asks, if there is one. */
  | { readonly kind: "timedOut"; readonly waitsAt?: string }
  | { readonly kind: "cancelled" }
  /** The user closed the terminal. */
  | { readonly kind: "closed" }
  /** Nothing was run. */
  | { readonly kind: "refused"; readonly reason: string };

export interface CommandResult {
  readonly end: CommandEnd;
  /** Text that was to be seen of it in the end: the beginning and the end of longer output. */
  readonly output: string;
}

/** As much as a user reads before agreeing. */
export const REVIEWED_CHARACTERS = 2_000;
export const REVIEWED_LINES = 30;

export function isReviewable(command: string): boolean {
  return command.length <= REVIEWED_CHARACTERS && command.split("\n").length <= REVIEWED_LINES;
}
