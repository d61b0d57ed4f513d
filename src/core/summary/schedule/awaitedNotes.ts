/** True if notes take so long to write that who waits goes on with an extract, which they replace when they are there. */

import type { PlannedStep } from "../../context/plan/compactionPlan.ts";
import { independentSteps } from "../../context/plan/independentSteps.ts";

/** At 60 tokens a second, some twelve seconds; a count, so that what is stored does not depend on the speed. */
const MOST_AWAITED_TOKENS = 720;
/** Of a summary, for the model's notes. */
const NOTES_SHARE = 0.6;

/** `parallelCalls`: calls that are made side by side. */
export function areNotesTooLongToAwait(steps: readonly Pick<PlannedStep, "spans">[], parallelCalls: number): boolean {
  return tokensInSequence(steps, parallelCalls) * NOTES_SHARE > MOST_AWAITED_TOKENS;
}

/** Tokens that are written one after the other: of each round of calls, the longest. */
function tokensInSequence(steps: readonly Pick<PlannedStep, "spans">[], parallelCalls: number): number {
  let tokens = 0;
  for (const wave of independentSteps(steps)) {
    for (let at = 0; at < wave.length; at += parallelCalls) {
      tokens += Math.max(...wave.slice(at, at + parallelCalls).map(targetOf));
    }
  }
  return tokens;
}

function targetOf({ spans }: Pick<PlannedStep, "spans">): number {
  return spans.reduce((sum, { targetTokens }) => sum + targetTokens, 0);
}
