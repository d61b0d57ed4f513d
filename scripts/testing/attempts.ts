/** Tests that are run once more when some of them failed. */

import { type Counts, noTests } from "./counts.ts";
import type { PartRun } from "./partRun.ts";

/** Runs tests; when they could not be run to their end, that is one failure, named `name`. */
export async function attempt(name: string, { print }: PartRun, tests: () => Promise<Counts>): Promise<Counts> {
  try {
    return await tests();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    print(`${name}: ${message}`);
    return { ...noTests, failed: 1, failures: [{ title: name, message }] };
  }
}

/**
 * Runs tests when their turn comes, and once more, alone, when some failed. For tests in a real editor or browser, on whose
 * pace no test has a say: what passes only then is counted as passed, and named as unsteady at the end.
 */
export async function twoAttempts(name: string, run: PartRun, tests: () => Promise<Counts>): Promise<Counts> {
  const first = await run.take(() => attempt(name, run, tests));
  if (first.failed === 0) return first;
  return run.takeAlone(async () => {
    run.print(`\n${name}: ${first.failed} failed, once more:`);
    const second = await attempt(name, run, tests);
    return bothOf(first, second);
  });
}

/** The second attempt, with what was else in the first: a test that failed in both is not unsteady, whatever it said. */
function bothOf(first: Counts, second: Counts): Counts {
  const failures = second.failures.map((failure) => {
    const earlier = first.failures.find(({ title }) => title === failure.title);
    const isOther = earlier !== undefined && earlier.message !== failure.message;
    return isOther ? { ...failure, earlierMessage: earlier.message } : failure;
  });
  const failedAgain = new Set(failures.map(({ title }) => title));
  return { ...second, failures, unsteady: first.failures.filter(({ title }) => !failedAgain.has(title)) };
}
