/** Runs test files with mocha in this process, which may be plain Node or an extension host. */

import { appendFileSync, writeFileSync } from "node:fs";
import { format } from "node:util";
import type Mocha from "mocha";
import type { Counts, Failure } from "./counts.ts";
import { failureLine } from "./failureLine.ts";

export interface MochaRun {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Time limit of a test that does not set its own. */
  readonly timeoutMs: number;
  /** File for the counts, written last: a process that crashes leaves none. */
  readonly countsFile?: string | undefined;
  readonly reporter?: "spec" | "dot";
  /** File for the report, instead of the console. */
  readonly reportFile?: string | undefined;
  /** Runs only tests whose full title contains this. */
  readonly grep?: string | undefined;
}

/** Runs the files one after another. Rejects if a file cannot be loaded. */
export async function runMocha(options: MochaRun): Promise<Counts> {
  const { files, timeoutMs, countsFile, reporter = "spec", reportFile, grep } = options;
  // A static import would lose the default export when bundled as CommonJS for the extension host.
  const { default: MochaRunner } = await import("mocha");
  if (reportFile !== undefined) writeReportTo(MochaRunner, reportFile);
  const mocha = new MochaRunner({
    ui: "bdd",
    reporter,
    timeout: timeoutMs,
    color: reportFile === undefined && process.stdout.isTTY,
  });
  if (grep !== undefined) mocha.fgrep(grep);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();

  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] as Failure[], unsteady: [] };
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on("pass", () => counts.passed++);
    runner.on("fail", (test, error: unknown) => {
      counts.failed++;
      counts.failures.push({ title: test.fullTitle(), message: failureLine(error) });
    });
    runner.on("pending", () => counts.skipped++);
  });
  if (countsFile !== undefined) writeFileSync(countsFile, JSON.stringify(counts));
  return counts;
}

/** The console of an extension host also contains VS Code's log. */
function writeReportTo(mochaClass: typeof Mocha, reportFile: string): void {
  mochaClass.reporters.Base.consoleLog = (...parts: unknown[]) => {
    appendFileSync(reportFile, `${format(...parts)}\n`);
  };
}
