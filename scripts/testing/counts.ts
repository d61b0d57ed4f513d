/** Results of tests, as numbers that can be added up. */

import { existsSync, readFileSync } from "node:fs";

/** A test that failed. */
export interface Failure {
  /** With those of its suites; or the name of what could not be run. */
  readonly title: string;
  /** First line of the error; may be empty. */
  readonly message: string;
  /** The same of the attempt before, where it failed in that, too, and said something else. */
  readonly earlierMessage?: string;
}

/** How many tests ended how. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Could not run here; each has printed its reason. */
  readonly skipped: number;
  /** What failed, in the order of the tests. */
  readonly failures: readonly Failure[];
  /** What failed at first and did not when its file was run again. */
  readonly unsteady: readonly Failure[];
}

/** Nothing ran. */
export const noTests: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [] };

/** The results of two parts as one. */
export function addCounts(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
    unsteady: [...one.unsteady, ...other.unsteady],
  };
}

/** "12 passed, 0 failed", and the skipped and unsteady ones when there are any. */
export function formatCounts({ passed, failed, skipped, unsteady }: Counts): string {
  const rest = skipped === 0 ? "" : `, ${skipped} skipped`;
  const again = unsteady.length === 0 ? "" : `, ${unsteady.length} only when run again`;
  return `${passed} passed, ${failed} failed${rest}${again}`;
}

/** A line for each test that failed or was unsteady, and one for what else it said at first; empty when there is none. */
export function listFailures({ failures, unsteady }: Counts): string {
  const line = (kind: string, { title, message, earlierMessage }: Failure): string =>
    `  ${kind} ${title}${message === "" ? "" : `: ${message}`}\n` +
    (earlierMessage === undefined ? "" : `           at first: ${earlierMessage}\n`);
  return [
    ...failures.map((failure) => line("FAILED  ", failure)),
    ...unsteady.map((failure) => line("UNSTEADY", failure)),
  ].join("");
}

/**
 * Reads what a finished test process wrote; throws when it did not come to its end, or ran no test at all. Where only tests
 * of some name were asked for (`isSelection`), a process may have none of them.
 */
export function readCounts(file: string, isSelection: boolean): Counts {
  if (!existsSync(file)) throw new Error("the tests did not come to their end");
  const counts: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isCounts(counts)) throw new Error(`the counts in ${file} are damaged`);
  if (!isSelection && ranNone(counts)) throw new Error("no test was run");
  return counts;
}

/** Whether no test was run. */
export function ranNone({ passed, failed }: Counts): boolean {
  return passed + failed === 0;
}

function isCounts(value: unknown): value is Counts {
  const isCount = (name: string): boolean =>
    typeof value === "object" && value !== null && Number.isSafeInteger(Reflect.get(value, name));
  const isList = (name: string): boolean =>
    typeof value === "object" && value !== null && Array.isArray(Reflect.get(value, name));
  return ["passed", "failed", "skipped"].every(isCount) && ["failures", "unsteady"].every(isList);
}
