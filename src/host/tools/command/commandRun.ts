/** Request and result of a command, in a terminal or a child process. */

/** A command as the user agreed to it. */
export interface CommandRequest {
  readonly command: string;
  /** Absolute path. */
  readonly folder: string;
  readonly limitMs: number;
  /** Gets the output in chunks, control sequences included. */
  readonly output: (piece: string) => void;
}

/** `exitCode` is undefined where unknown; `isOutputMissing`: the output could not be read. */
export type CommandEnd =
  | { readonly kind: "ended"; readonly exitCode: number | undefined; readonly isOutputMissing?: true }
  /** The terminal never reported a start, and is at its prompt now. */
  | { readonly kind: "untold" }
  | { readonly kind: "timedOut" }
  | { readonly kind: "cancelled" }
  /** The user closed the terminal. */
  | { readonly kind: "closed" };
