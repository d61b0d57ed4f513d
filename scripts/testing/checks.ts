/** Static checks: types, lint, format, dead code, architecture. */

import path from "node:path";
import { projectDirectory, runNode } from "../command.ts";
import { type Counts, addCounts, noTests } from "./counts.ts";
import { runMochaProcesses } from "./mochaProcess.ts";
import type { PartRun } from "./partRun.ts";

interface Check {
  readonly name: string;
  /** Path in node_modules and arguments. */
  readonly command: readonly [program: string, ...programArguments: readonly string[]];
}

/** The compiler in machine code: a fifth of the time of the one before, whose library some scripts read code with. */
const tsc = "typescript-7/bin/tsc";

/** Three times what the longest takes beside the tests on a slow machine. */
const timeoutMs = 1_200_000;

/** Slowest first, so that it does not end last. */
const checks: readonly Check[] = [
  { name: "lint", command: ["oxlint/bin/oxlint", "."] },
  { name: "types", command: [tsc, "-p", "tsconfig.json"] },
  { name: "types of the core", command: [tsc, "-p", "src/core/tsconfig.json"] },
  { name: "types of the webview", command: [tsc, "-p", "src/webview/tsconfig.json"] },
  { name: "types of the page's tests", command: [tsc, "-p", "test/browser/tsconfig.json"] },
  { name: "types of the webview's benchmark", command: [tsc, "-p", "bench/webview/tsconfig.json"] },
  { name: "types of the UI tests", command: [tsc, "-p", "test/ui/tsconfig.json"] },
  { name: "dead code", command: ["knip/bin/knip.js", "--no-progress"] },
  { name: "format", command: ["prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "."] },
];

/** Runs every check as one test, and the tests of the architecture and of the workflows. */
export async function runChecks(run: PartRun): Promise<Counts> {
  const results = checks.map((check) => run.take(() => runCheck(check, run)));
  const tests = runMochaProcesses(
    {
      include: ["test/architecture.test.ts", "test/workflows.test.ts"],
      filesPerProcess: 1,
      testTimeoutMs: 10_000,
      timeoutMs: 60_000,
      dots: true,
    },
    run,
  );
  return (await Promise.all([...results, tests])).reduce(addCounts, noTests);
}

async function runCheck({ name, command: [program, ...programArguments] }: Check, { print }: PartRun): Promise<Counts> {
  const start = performance.now();
  const script = path.join(projectDirectory, "node_modules", program);
  const { failure, output } = await runNode(script, programArguments, { quiet: true, timeoutMs });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (failure === "") {
    print(`  ok     ${name} (${seconds} s)`);
    return { ...noTests, passed: 1 };
  }
  print(`  FAILED ${name} (${seconds} s, ${failure})\n${output}`);
  return { ...noTests, failed: 1, failures: [{ title: name, message: "" }] };
}
