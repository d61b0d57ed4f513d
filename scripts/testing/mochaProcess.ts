/** Test files in Node processes of their own. */

import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectDirectory, runNode } from "../command.ts";
import { attempt, twoAttempts } from "./attempts.ts";
import { type Counts, addCounts, noTests, readCounts } from "./counts.ts";
import type { PartRun } from "./partRun.ts";
import type { MochaRun } from "./runMocha.ts";

/** Which files are run, and how patiently. */
export interface MochaProcesses {
  /** Glob patterns, from the project's folder. */
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** How many files share a process; more of them start faster, fewer share the work better. */
  readonly filesPerProcess: number;
  /** Those that take longest, the slowest first: they begin before all others, so that none of them is the last to end. */
  readonly slowest?: readonly string[];
  /** Limit of one test that sets none itself. */
  readonly testTimeoutMs: number;
  /** Limit of each process, which must end by itself. */
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Prints a dot for each test instead of its title. What failed is always told in full. */
  readonly dots?: boolean;
  /** Runs a group that failed once more: {@link twoAttempts}. */
  readonly secondTry?: boolean;
}

/** Runs the files; throws when there are none. A process that ends otherwise than its results say is a failure. */
export async function runMochaProcesses(options: MochaProcesses, run: PartRun): Promise<Counts> {
  const results = await Promise.all(
    groupsOf(options).map((group) => {
      const tests = (): Promise<Counts> => runGroup(group, options, run);
      const name = group.join(", ");
      return options.secondTry === true ? twoAttempts(name, run, tests) : run.take(() => attempt(name, run, tests));
    }),
  );
  return results.reduce(addCounts, noTests);
}

/** The files of each process, in the order in which they begin; the slowest have one of their own. */
function groupsOf({ include, exclude = [], filesPerProcess, slowest = [] }: MochaProcesses): readonly string[][] {
  const files = globSync([...include], { cwd: projectDirectory, exclude: [...exclude] }).toSorted();
  if (files.length === 0) throw new Error(`no test files: ${include.join(", ")}`);
  const missing = slowest.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`no such test files: ${missing.join(", ")}`);
  const others = files.filter((file) => !slowest.includes(file));
  const groups = Array.from({ length: Math.ceil(others.length / filesPerProcess) }, (_, index) =>
    others.slice(index * filesPerProcess, (index + 1) * filesPerProcess),
  );
  return [...slowest.map((file) => [file]), ...groups];
}

/** Runs some files in one process; what it prints is shown when it has ended. */
async function runGroup(files: readonly string[], options: MochaProcesses, { print }: PartRun): Promise<Counts> {
  const { testTimeoutMs, timeoutMs, env = {}, dots = false } = options;
  const directory = mkdtempSync(path.join(tmpdir(), "forge-tests-"));
  try {
    const countsFile = path.join(directory, "counts.json");
    const mochaRun: MochaRun = {
      files: files.map((file) => path.join(projectDirectory, file)),
      timeoutMs: testTimeoutMs,
      countsFile,
      reporter: dots ? "dot" : "spec",
      grep: process.env["TEST_GREP"],
    };
    const main = path.join(import.meta.dirname, "mochaMain.ts");
    const { failure, output } = await runNode(main, [JSON.stringify(mochaRun)], { env, timeoutMs, quiet: true });
    print(output.trimEnd());
    const counts = readCounts(countsFile, mochaRun.grep !== undefined);
    if (failure === "" || counts.failed > 0) return counts;
    throw new Error(`all tests passed, but their process had ${failure}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
