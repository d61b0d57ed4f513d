/** Why a tool could not do what was asked, told to the model: a code to act on, and a sentence that says what helps. */

import type { ToolOutcome } from "../../core/tools/tool.ts";
import { err, type Err } from "../../core/result.ts";

/**
 * What kind of failure it is. `NOT_ALLOWED`: Forge never does it. `REFUSED`: the user did not want it. `UNAVAILABLE`: what
 * it needs is not there. `FAILED`: it was tried and went wrong.
 */
export type FailureCode =
  | "INVALID_INPUT"
  | "OUTSIDE_WORKSPACE"
  | "NOT_FOUND"
  | "WRONG_KIND"
  | "BINARY"
  | "TOO_LARGE"
  | "NOT_ALLOWED"
  | "REFUSED"
  | "CONFLICT"
  | "CANCELLED"
  | "TIMED_OUT"
  | "UNAVAILABLE"
  | "FAILED";

/** A failure as a value. */
export interface ToolFailure {
  readonly code: FailureCode;
  /** Whole sentences, for a model that cannot see the editor. */
  readonly text: string;
}

/** Makes a failed result. */
export function failure(code: FailureCode, text: string): Err<ToolFailure> {
  return err({ code, text });
}

/** The user's stop, or the end of the turn. */
export const CANCELLED_FAILURE: ToolFailure = { code: "CANCELLED", text: "The user stopped it. Nothing was changed." };

/** The failure in one text: `NOT_FOUND: There is no src/a.ts.` */
export function failureText({ code, text }: ToolFailure): string {
  return `${code}: ${text}`;
}

/** The failure as the end of a call. */
export function failed(reason: ToolFailure): ToolOutcome {
  return { outcome: "error", text: failureText(reason) };
}
