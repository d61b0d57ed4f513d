/** Limits of a model, and the input budget that follows from them. Spec §2. */

import { validationError, type ValidationError } from "../errors.ts";
import { err, ok, type Result } from "../result.ts";

/** In tokens. `maxOutput` is smaller than `contextWindow`. */
export interface ModelLimits {
  readonly contextWindow: number;
  readonly maxOutput: number;
}

/** Accepts positive integers with an output limit below the window; the error names the offending field. */
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
 * Input tokens beside the longest answer, less 5 % for counting errors (spec §2). `outputTokens` is the user's own
 * output limit, clamped to the model's.
 */
export function effectiveInputBudget(limits: ModelLimits, outputTokens: number = limits.maxOutput): number {
  const available = limits.contextWindow - Math.min(outputTokens, limits.maxOutput);
  return available - Math.floor(available / 20);
}
