/** Steps of a plan that can be carried out side by side: none builds on, or replaces, a summary of another. */

import type { PlannedStep } from "./compactionPlan.ts";

/** Consecutive steps whose spans are apart, in the order of the plan. */
export function independentSteps<Step extends Pick<PlannedStep, "spans">>(
  steps: readonly Step[],
): readonly (readonly Step[])[] {
  const waves: Step[][] = [];
  for (const step of steps) {
    const wave = waves.at(-1);
    if (wave?.every((other) => areApart(other, step)) === true) wave.push(step);
    else waves.push([step]);
  }
  return waves;
}

function areApart(one: Pick<PlannedStep, "spans">, other: Pick<PlannedStep, "spans">): boolean {
  return one.spans.every(({ covers }) =>
    other.spans.every((span) => covers.end <= span.covers.start || span.covers.end <= covers.start),
  );
}
