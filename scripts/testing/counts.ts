import { existsSync, readFileSync } from "node:fs";

export interface Failure {
  /** Full title, including those of its suites; or the name of what could not run. */
  readonly title: string;
  /** Line about the error; may be empty. */
  readonly message: string;
  /** That of the earlier attempt's error, if different. */
  readonly earlierMessage?: string;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that could not run here, with a printed reason. */
  readonly skipped: number;
  /** Failed tests, in order. */
  readonly failures: readonly Failure[];
  /** Tests that failed first, and passed when their file was run again. */
  readonly unsteady: readonly Failure[];
}

export const noTests: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [] };

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
    unsteady: [...one.unsteady, ...other.unsteady],
  };
}

/** "12 passed, 0 failed", and skipped and unsteady ones if there are any. */
export function formatCounts({ passed, failed, skipped, unsteady }: Counts): string {
  const rest = skipped === 0 ? "" : `, ${skipped} skipped`;
  const again = unsteady.length === 0 ? "" : `, ${unsteady.length} only when run again`;
  return `${passed} passed, ${failed} failed${rest}${again}`;
}

/** One line per failed or unsteady test, and one per different earlier message; "" if there are none. */
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
 * Reads the results of a finished test process. Throws if it did not complete, or ran no test; the latter is allowed
 * when tests are selected by title (`isSelection`).
 */
export function readCounts(file: string, isSelection: boolean): Counts {
  if (!existsSync(file)) throw new Error("the tests did not come to their end");
  const counts: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isCounts(counts)) throw new Error(`the counts in ${file} are damaged`);
  if (!isSelection && ranNone(counts)) throw new Error("no test was run");
  return counts;
}

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
