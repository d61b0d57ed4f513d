import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectDirectory, runNode } from "../command.ts";
import { attempt, twoAttempts } from "./attempts.ts";
import { type Counts, addCounts, noTests, readCounts } from "./counts.ts";
import type { PartRun } from "./partRun.ts";
import type { MochaRun } from "./runMocha.ts";

export interface MochaProcesses {
  /** Glob patterns, relative to the project's folder. */
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** Files per process: more start faster, fewer balance better. */
  readonly filesPerProcess: number;
  /** Longest files, slowest first. They start before all others, so that none ends last. */
  readonly slowest?: readonly string[];
  /** Time limit of a test that does not set its own. */
  readonly testTimeoutMs: number;
  /** Time limit of each process, which must end by itself. */
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Prints a dot per test instead of its title. Failures are always printed in full. */
  readonly dots?: boolean;
  /** Runs a failed group once more: {@link twoAttempts}. */
  readonly secondTry?: boolean;
}

/** Runs the files. Throws if there are none. A process whose exit contradicts its results is a failure. */
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

/** The files of each process in starting order. The slowest files run in separate processes. */
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

/** Runs some files in one process, and prints its output at the end. */
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
