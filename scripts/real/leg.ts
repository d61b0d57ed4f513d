import type { Checks } from "./checks.ts";

export interface LegOptions {
  /** Folder of recorded conversations. */
  readonly data: string | undefined;
  readonly full: boolean;
  /** True when the user named this leg. */
  readonly isNamed: boolean;
}

/** A group of checks before a real model. */
export interface Leg {
  readonly name: string;
  /** Why it cannot run here, with how to get what is missing; `undefined` if it can. */
  readonly missing: (options: LegOptions) => string | undefined;
  readonly run: (checks: Checks, options: LegOptions) => Promise<void>;
}
