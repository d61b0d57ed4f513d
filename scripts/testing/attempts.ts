import { type Counts, noTests } from "./counts.ts";
import type { PartRun } from "./partRun.ts";

/** Runs tests. A run that does not complete counts as one failure called `name`. */
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
 * Runs tests in turn, and once more, alone, if some failed. For tests in a real editor or browser, whose timing cannot
 * be controlled: a test that passes only then counts as passed, and is listed as unsteady.
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

/** Results of the second attempt plus tests that failed only in the first, as unsteady. */
function bothOf(first: Counts, second: Counts): Counts {
  const failures = second.failures.map((failure) => {
    const earlier = first.failures.find(({ title }) => title === failure.title);
    const isOther = earlier !== undefined && earlier.message !== failure.message;
    return isOther ? { ...failure, earlierMessage: earlier.message } : failure;
  });
  const failedAgain = new Set(failures.map(({ title }) => title));
  return { ...second, failures, unsteady: first.failures.filter(({ title }) => !failedAgain.has(title)) };
}
