/** Test files in a Node process of their own. */

import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectDirectory, runNode } from "../command.ts";
import { type Counts, readCounts } from "./counts.ts";
import type { MochaRun } from "./runMocha.ts";

/** Which files are run, and how patiently. */
export interface MochaProcess {
  /** Glob patterns, from the project's folder. */
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** Limit of one test that sets none itself. */
  readonly testTimeoutMs: number;
  /** Limit of the whole process, which must end by itself. */
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Prints a dot for each test instead of its title. What failed is always told in full. */
  readonly dots?: boolean;
}

/** Runs the files in alphabetical order; throws when there are none, or the process ends otherwise than its results say. */
export async function runMochaProcess(options: MochaProcess): Promise<Counts> {
  const { include, exclude = [], testTimeoutMs, timeoutMs, env = {}, dots = false } = options;
  const files = globSync([...include], { cwd: projectDirectory, exclude: [...exclude] }).toSorted();
  if (files.length === 0) throw new Error(`no test files: ${include.join(", ")}`);

  const directory = mkdtempSync(path.join(tmpdir(), "forge-tests-"));
  try {
    const countsFile = path.join(directory, "counts.json");
    const main = path.join(import.meta.dirname, "mochaMain.ts");
    const mochaRun: MochaRun = {
      files: files.map((file) => path.join(projectDirectory, file)),
      timeoutMs: testTimeoutMs,
      countsFile,
      reporter: dots ? "dot" : "spec",
      grep: process.env["TEST_GREP"],
    };
    const { failure } = await runNode(main, [JSON.stringify(mochaRun)], { env, timeoutMs });
    const counts = readCounts(countsFile);
    if (failure !== "" && counts.failed === 0) throw new Error(`all tests passed, but the process had ${failure}`);
    return counts;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
