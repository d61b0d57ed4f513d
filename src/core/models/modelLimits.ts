/** What a model can read and write, and the budget that follows. Spec §2. */

import { validationError, type ValidationError } from "../errors.ts";
import { err, ok, type Result } from "../result.ts";

/** Tokens a model can hold in all, and how many of them it may write. `maxOutput` is smaller than `contextWindow`. */
export interface ModelLimits {
  readonly contextWindow: number;
  readonly maxOutput: number;
}

/** Checks a pair of limits: positive integers, output smaller than the window. The error names the field. */
export function modelLimits(contextWindow: number, maxOutput: number): Result<ModelLimits, ValidationError> {
  for (const [field, value] of [
    ["contextWindow", contextWindow],
    ["maxOutput", maxOutput],
  ] as const) {
    if (!Number.isSafeInteger(value) || value <= 0) {
      return err(validationError(field, String(value), "a positive whole number of tokens"));
    }
  }
  if (maxOutput >= contextWindow) {
    return err(validationError("maxOutput", String(maxOutput), `less than the context window of ${contextWindow}`));
  }
  return ok({ contextWindow, maxOutput });
}

/**
 * Tokens of input that may be sent: what the window has left beside the longest answer, less 5 % for what counting can
 * not know (spec §2). `outputTokens` is the user's own limit of the answer; one above the model's is clamped to it.
 */
export function effectiveInputBudget(limits: ModelLimits, outputTokens: number = limits.maxOutput): number {
  const available = limits.contextWindow - Math.min(outputTokens, limits.maxOutput);
  return available - Math.floor(available / 20);
}
