/** What it means to run a command, wherever that is done. */

/** A command as the user agreed to it. */
export interface CommandRequest {
  readonly command: string;
  /** Absolute path of the folder that it runs in. */
  readonly folder: string;
  readonly limitMs: number;
  /** Gets the output piece by piece, control sequences included. */
  readonly output: (piece: string) => void;
}

/** How it ended. `exitCode` is absent where nobody said; `isOutputUntold`: what it printed was not told. */
export type CommandEnd =
  | { readonly kind: "ended"; readonly exitCode: number | undefined; readonly isOutputUntold?: true }
  /** The terminal never told that it began, and waits for a command now. */
  | { readonly kind: "untold" }
  | { readonly kind: "timedOut" }
  | { readonly kind: "cancelled" }
  /** The user closed the terminal that it ran in. */
  | { readonly kind: "closed" };
