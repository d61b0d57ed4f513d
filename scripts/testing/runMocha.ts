/** Runs test files with mocha in this process, be it plain Node or an extension host. */

import { appendFileSync, writeFileSync } from "node:fs";
import { format } from "node:util";
import type Mocha from "mocha";
import type { Counts, Failure } from "./counts.ts";

/** What to run and where its results go. */
export interface MochaRun {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** A test that takes longer fails, unless it says otherwise itself. */
  readonly timeoutMs: number;
  /** The counts are written here as the last act: a process that dies before leaves none. */
  readonly countsFile?: string | undefined;
  readonly reporter?: "spec" | "dot";
  /** The report is written here instead of to the console. */
  readonly reportFile?: string | undefined;
  /** Only tests whose full title holds this run. */
  readonly grep?: string | undefined;
}

/** Runs the files one after another and resolves to the results; a file that cannot be loaded rejects. */
export async function runMocha(options: MochaRun): Promise<Counts> {
  const { files, timeoutMs, countsFile, reporter = "spec", reportFile, grep } = options;
  // Not a static import: bundled as CommonJS for the extension host, that would lose the default export.
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
      const message = error instanceof Error ? error.message : String(error);
      counts.failures.push({ title: test.fullTitle(), message: message.split("\n", 1)[0] ?? "" });
    });
    runner.on("pending", () => counts.skipped++);
  });
  if (countsFile !== undefined) writeFileSync(countsFile, JSON.stringify(counts));
  return counts;
}

/** In an extension host the console belongs to VS Code, which mixes its own log into it. */
function writeReportTo(mochaClass: typeof Mocha, reportFile: string): void {
  mochaClass.reporters.Base.consoleLog = (...parts: unknown[]) => {
    appendFileSync(reportFile, `${format(...parts)}\n`);
  };
}
