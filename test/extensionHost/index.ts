/** Runs the tests of this folder inside an extension host, which calls `run()`. */

import { readdirSync } from "node:fs";
import path from "node:path";
import { runMocha } from "../../scripts/testing/runMocha.ts";

/** Rejects when a test failed; the runner relies on the counts file instead. */
export async function run(): Promise<void> {
  const tests = readdirSync(__dirname).filter((name) => name.endsWith(".test.cjs"));
  const { failed } = await runMocha({
    files: tests.map((name) => path.join(__dirname, name)),
    timeoutMs: 20_000,
    countsFile: process.env["TEST_COUNTS_FILE"],
    reportFile: process.env["TEST_REPORT_FILE"],
    grep: process.env["TEST_GREP"],
  });
  if (failed > 0) throw new Error(`${String(failed)} tests failed`);
}
