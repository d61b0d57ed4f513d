/** Tests that are run once more when some of them failed. */

import { type Counts, noTests } from "./counts.ts";
import type { PartRun } from "./partRun.ts";

/** Runs tests; when they could not be run to their end, that is one failure, named `name`. */
export async function attempt(name: string, { print }: PartRun, tests: () => Promise<Counts>): Promise<Counts> {
  try {
    return await tests();
  } catch (error) {
    const message = `${name}: ${error instanceof Error ? error.message : String(error)}`;
    print(message);
    return { ...noTests, failed: 1, failures: [message] };
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
    return { ...second, unsteady: first.failures.filter((failure) => !second.failures.includes(failure)) };
  });
}
