/** Failures of tools, for the model: a code to act on, and a text that says what helps. */

import type { ToolOutcome } from "../../core/tools/tool.ts";
import { err, type Err } from "../../core/result.ts";

/**
 * `NOT_ALLOWED`: Forge never does it. `REFUSED`: the user did not want it. `UNAVAILABLE`: something required is
 * missing. `READ_ONLY`: the user may not write it, or has the editor hold it so. `ENCODING`: the file's encoding has no
 * bytes for it. `FAILED`: it was tried and went wrong.
 */
export type FailureCode =
  | "INVALID_INPUT"
  | "OUTSIDE_WORKSPACE"
  | "NOT_FOUND"
  | "WRONG_KIND"
  | "BINARY"
  | "TOO_LARGE"
  | "NOT_ALLOWED"
  | "READ_ONLY"
  | "ENCODING"
  | "REFUSED"
  | "CONFLICT"
  | "CANCELLED"
  | "TIMED_OUT"
  | "UNAVAILABLE"
  | "FAILED";

export interface ToolFailure {
  readonly code: FailureCode;
  /** Whole sentences, for a model that cannot see the editor. */
  readonly text: string;
}

export function failure(code: FailureCode, text: string): Err<ToolFailure> {
  return err({ code, text });
}

/** The user stopped it, or the turn ended. */
export const CANCELLED_FAILURE: ToolFailure = { code: "CANCELLED", text: "The user stopped it. Nothing was changed." };

/** `NOT_FOUND: There is no src/a.ts.` */
export function failureText({ code, text }: ToolFailure): string {
  return `${code}: ${text}`;
}

export function failedOutcome(reason: ToolFailure): ToolOutcome {
  return { outcome: "error", text: failureText(reason) };
}
