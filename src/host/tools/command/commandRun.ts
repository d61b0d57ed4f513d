/** Request and result of a command. */

/** A command as the user agreed to it. */
export interface CommandRequest {
  readonly command: string;
  /** Absolute path. */
  readonly folder: string;
  /** Path of the user's shell; `undefined`: the one of the system. */
  readonly shell: string | undefined;
  readonly limitMs: number;
  /** Gets the output in chunks. */
  readonly output: (piece: string) => void;
}

/** `exitCode` is undefined where a signal ended it. */
export type CommandEnd =
  | { readonly kind: "ended"; readonly exitCode: number | undefined }
  | { readonly kind: "timedOut" }
  | { readonly kind: "cancelled" }
  /** The user closed the terminal. */
  | { readonly kind: "closed" };

/** As much as a user reads before agreeing. */
export const REVIEWED_CHARACTERS = 2_000;
export const REVIEWED_LINES = 30;

export function isReviewable(command: string): boolean {
  return command.length <= REVIEWED_CHARACTERS && command.split("\n").length <= REVIEWED_LINES;
}

/** Shells that take a command as `-c`, and in it replace nothing by lines of their history, as csh does. */
const KNOWN = /^(?:(?:ba|da|a|z|k|mk|ok)?sh|fish|nu|elvish|xonsh|pwsh|powershell|cmd)(?:\.exe)?$/i;

/** The shell to run commands in, of the path of the user's own one. */
export function shellFor(path: string, exists: (path: string) => boolean): string | undefined {
  return KNOWN.test(path.split(/[/\\]/).at(-1) ?? "") && exists(path) ? path : undefined;
}
