/**
 * `npm test`: everything, or the parts that are named: `node scripts/run.mjs test [--vscode floor] [--grep TEXT] [PART]...`.
 * A part that could not run counts as a failure. The last line adds up all parts.
 */

import { parseArgs } from "node:util";
import { runNode } from "./command.ts";
import { packageVsix } from "./packageVsix.ts";
import { runChecks } from "./testing/checks.ts";
import { type Counts, addCounts, formatCounts, listFailures, noTests } from "./testing/counts.ts";
import { runHostTests } from "./testing/hostTests.ts";
import { runMochaProcesses } from "./testing/mochaProcess.ts";
import { useRunFolder } from "./testing/runFolder.ts";
import { type EditorName, parseEditorName } from "./vscode/editors.ts";
import { installEditor } from "./vscode/installEditor.ts";
import { installForge } from "./vscode/installForge.ts";

const minuteMs = 60_000;

interface Part {
  /** Has to be there before: the package, which also leaves the built extension in dist/, or that alone. */
  readonly needs?: "package" | "build";
  readonly run: (editor: EditorName) => Promise<Counts>;
}

const parts: Readonly<Record<string, Part>> = {
  check: { run: runChecks },
  unit: {
    needs: "build",
    run: () =>
      runMochaProcesses({
        include: ["test/**/*.test.ts"],
        exclude: ["test/architecture.test.ts", "test/host/**"],
        filesPerProcess: 10,
        slowest: [
          "test/adapters/sqlite/crash.test.ts",
          "test/adapters/sqlite/damage.test.ts",
          "test/unit/host/compaction/compactionConvergence.test.ts",
          "test/unit/host/compaction/interruptedCompaction.test.ts",
          "test/scripts/conformance.test.ts",
        ],
        testTimeoutMs: 10_000,
        timeoutMs: 5 * minuteMs,
        dots: true,
      }),
  },
  host: { needs: "build", run: (editor) => runHostTests(installEditor(editor)) },
  webview: {
    needs: "build",
    run: () =>
      runMochaProcesses({
        include: ["test/webview/**/*.browser.ts"],
        filesPerProcess: 1,
        testTimeoutMs: 30_000,
        timeoutMs: 5 * minuteMs,
        secondTry: true,
      }),
  },
  ui: {
    needs: "package",
    run: (editor) => {
      installForge(installEditor(editor)); // once, before the processes that share it
      return runMochaProcesses({
        include: ["test/ui/**/*.ui.ts"],
        filesPerProcess: 1,
        slowest: ["summaries", "hostileContent", "recovery", "codeBlocks", "commands"].map(
          (name) => `test/ui/${name}.ui.ts`,
        ),
        testTimeoutMs: 90_000,
        timeoutMs: 10 * minuteMs,
        secondTry: true,
        env: { FORGE_TEST_EDITOR: editor },
      });
    },
  },
};

async function provide(needs: ReadonlySet<Part["needs"]>): Promise<void> {
  if (needs.has("package")) await packageVsix();
  else if (needs.has("build")) {
    const { failure, output } = await runNode("esbuild.mjs", ["--production"], { quiet: true });
    if (failure !== "") throw new Error(`the build had ${failure}\n${output}`);
  }
}

/** Does `step`; what it throws is one failure. */
async function runPart(name: string, step: () => Promise<Counts>): Promise<Counts> {
  console.log(`\n== ${name}`);
  const start = performance.now();
  let counts: Counts;
  try {
    counts = await step();
  } catch (error) {
    console.error(`${name} could not run:`, error instanceof Error ? error.message : error);
    counts = { ...noTests, failed: 1, failures: [`${name} could not run`] };
  }
  console.log(`== ${name}: ${formatCounts(counts)} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
  return counts;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { vscode: { type: "string", default: "newest" }, grep: { type: "string" } },
});
const editor = parseEditorName(values.vscode);
if (values.grep !== undefined) process.env["TEST_GREP"] = values.grep;
const wanted = Object.entries(parts).filter(([name]) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !(name in parts));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(", ")}`);

useRunFolder();
let total = noTests;
const needs = new Set(wanted.map(([, part]) => part.needs));
total = addCounts(
  total,
  await runPart("build", async () => {
    await provide(needs);
    return noTests;
  }),
);
for (const [name, part] of wanted) {
  total = addCounts(total, await runPart(name, () => part.run(editor)));
}
console.log(`\n${listFailures(total)}${formatCounts(total)}`);
if (total.failed > 0) process.exitCode = 1;
