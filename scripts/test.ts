/**
 * `npm test`: runs all parts, or the named ones: `node scripts/run.mjs test [--vscode floor] [--grep TEXT] [--pictures] [--thorough] [PART]...`.
 * Parts overlap, and are reported in order. A part that cannot run counts as a failure. The last line is the sum.
 */

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { runNode } from "./command.ts";
import { packageVsix } from "./packageVsix.ts";
import { twoAttempts } from "./testing/attempts.ts";
import { runChecks } from "./testing/checks.ts";
import { type Counts, addCounts, formatCounts, listFailures, noTests, ranNone } from "./testing/counts.ts";
import { runHostTests } from "./testing/hostTests.ts";
import { type MochaProcesses, runMochaProcesses } from "./testing/mochaProcess.ts";
import type { PartRun } from "./testing/partRun.ts";
import { Report } from "./testing/report.ts";
import { useRunFolder } from "./testing/runFolder.ts";
import { tasksAtOnce, Turns } from "./testing/turns.ts";
import { neededBuiltIns } from "./vscode/builtIns.ts";
import { type EditorName, parseEditorName } from "./vscode/editors.ts";
import { installChromium } from "./vscode/installChromium.ts";
import { installEditor } from "./vscode/installEditor.ts";
import { installForge } from "./vscode/installForge.ts";

const minuteMs = 60_000;

const unitTests: MochaProcesses = {
  include: ["test/**/*.test.ts"],
  exclude: ["test/architecture.test.ts", "test/workflows.test.ts", "test/extensionHost/**"],
  filesPerProcess: 10,
  slowest: [
    "test/adapters/sqlite/crash.test.ts",
    "test/adapters/sqlite/damage.test.ts",
    "test/host/session/summaries/compactionConvergence.test.ts",
    "test/host/session/summaries/interruptedCompaction.test.ts",
    "test/scripts/conformance.test.ts",
  ],
  testTimeoutMs: 10_000,
  timeoutMs: 10 * minuteMs,
  dots: true,
};

const webviewTests: MochaProcesses = {
  include: ["test/browser/**/*.browser.ts"],
  filesPerProcess: 1,
  testTimeoutMs: 30_000,
  timeoutMs: 10 * minuteMs,
  secondTry: true,
};

const slowestUiTests = [
  ...["summaries", "windows", "recovery", "codeBlocks", "hostileFiles", "commands", "themes", "tools", "fromEditor"],
  ...["trash", "erase", "storage"],
];

const uiTests: MochaProcesses = {
  include: ["test/ui/**/*.ui.ts"],
  filesPerProcess: 1,
  slowest: slowestUiTests.map((name) => `test/ui/${name}.ui.ts`),
  testTimeoutMs: 90_000,
  timeoutMs: 15 * minuteMs,
  secondTry: true,
};

interface Part {
  /** What to build first: the package, which includes the build in dist/, or the build alone. */
  readonly needs?: "package" | "build";
  readonly run: (run: PartRun, editor: EditorName) => Promise<Counts>;
}

const parts: Readonly<Record<string, Part>> = {
  check: { run: runChecks },
  unit: {
    needs: "build",
    run: (run) => runMochaProcesses(unitTests, run),
  },
  host: {
    needs: "build",
    run: (run, editor) => twoAttempts("host", run, () => runHostTests(installEditor(editor), run.print)),
  },
  webview: {
    needs: "build",
    run: async (run) => {
      await run.take(installChromium); // once for all processes
      return runMochaProcesses({ ...webviewTests, env: { FORGE_TEST_BUILT: "1" } }, run);
    },
  },
  ui: {
    needs: "package",
    run: async (run, editor) => {
      await run.take(() => {
        installChromium(); // all once for all processes
        const installed = installEditor(editor);
        neededBuiltIns(installed);
        return installForge(installed);
      });
      return runMochaProcesses({ ...uiTests, env: { FORGE_TEST_EDITOR: editor } }, run);
    },
  },
};

/** `isWhole`: all parts run, so that there is time to see that the package can be made again, byte for byte. */
async function provide(needs: ReadonlySet<Part["needs"]>, isWhole: boolean): Promise<Counts> {
  if (needs.has("package")) {
    const { sha256 } = await packageVsix();
    if (!isWhole) return noTests;
    const again = await packageVsix();
    if (again.sha256 !== sha256) throw new Error("two packagings of the same files differ");
    return { ...noTests, passed: 1 };
  }
  if (needs.has("build")) {
    const { failure, output } = await runNode("esbuild.mjs", ["--production"], { quiet: true });
    if (failure !== "") throw new Error(`the build had ${failure}\n${output}`);
  }
  return noTests;
}

/** Runs `step` as a part of the report. An exception counts as one failure. */
async function runPart(name: string, step: (run: PartRun) => Promise<Counts>): Promise<Counts> {
  const { print, end } = report.begin();
  print(`\n== ${name}`);
  let startMs = performance.now();
  let hasBegun = false;
  const begin = <Outcome>(work: () => Outcome): Outcome => {
    if (!hasBegun) startMs = performance.now(); // excludes the wait for earlier parts
    hasBegun = true;
    return work();
  };
  let counts: Counts;
  try {
    counts = await step({
      take: (work) => turns.take(() => begin(work)),
      takeAlone: (work) => turns.takeAlone(work),
      print,
    });
  } catch (error) {
    print(`${name} could not run: ${error instanceof Error ? error.message : String(error)}`);
    counts = { ...noTests, failed: 1, failures: [{ title: name, message: "could not run" }] };
  }
  print(`== ${name}: ${formatCounts(counts)} (${((performance.now() - startMs) / 1000).toFixed(0)} s)`);
  end();
  return counts;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    vscode: { type: "string", default: "newest" },
    grep: { type: "string" },
    pictures: { type: "boolean", default: false },
    thorough: { type: "boolean", default: false },
  },
});
const editor = parseEditorName(values.vscode);
if (values.grep !== undefined) process.env["TEST_GREP"] = values.grep;
if (values.thorough) process.env["FORGE_TEST_THOROUGH"] = "1";
if (values.pictures) process.env["FORGE_TEST_PICTURES"] = "1";
const wanted = Object.entries(parts).filter(([name]) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(", ")}`);

useRunFolder();
const report = new Report(console.log);
const turns = new Turns(tasksAtOnce(availableParallelism()));
const needs = new Set(wanted.map(([, part]) => part.needs));
const isWhole = positionals.length === 0 && values.grep === undefined;
const build = runPart("build", () => provide(needs, isWhole));
const results = await Promise.all([
  build,
  ...wanted.map(([name, part]) =>
    runPart(name, async (run) => {
      if (part.needs !== undefined) await build;
      return part.run(run, editor);
    }),
  ),
]);
let total = results.reduce(addCounts, noTests);
if (values.grep !== undefined && ranNone(total)) {
  const failures = [{ title: values.grep, message: "no test has this in its name" }];
  total = { ...total, failed: 1, failures };
}
console.log(`\n${listFailures(total)}${formatCounts(total)}`);
if (total.failed > 0) process.exitCode = 1;
