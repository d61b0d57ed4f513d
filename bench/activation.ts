/**
 * Activation cost of a new window: the packaged extension in the real extension host, restarted each time. A probe
 * replaces the entry file and loads the real one.
 */

import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { launchBrowser } from "../scripts/vscode/launchBrowser.ts";
import { newContext, openWindow } from "../test/ui/support/browser.ts";
import { usageItem } from "../test/ui/support/chat.ts";
import { type BenchOptions, type BenchReport, median } from "../scripts/benchmark.ts";
import { packageVsix } from "../scripts/packageVsix.ts";
import { freshRunDirectory, installVsix, startServer } from "../scripts/vscode/editorServer.ts";
import { installEditor } from "../scripts/vscode/installEditor.ts";
import { vsixFile } from "../scripts/vscode/installForge.ts";
import { until } from "../scripts/vscode/until.ts";

/** Output of the probe. */
interface Measured {
  /** Time from the first line of the entry file until `activate()` resolves. */
  readonly activateMs: number;
  /** Part of it spent on reading, compiling and running the entry file and its imports. */
  readonly parseMs: number;
  readonly loadedFiles: readonly string[];
}

/** Opens the editor's window `rounds` times (5). Reports medians. */
export async function run({ rounds = 5 }: BenchOptions): Promise<BenchReport> {
  const { sizeBytes: vsixBytes } = await packageVsix();
  const editor = installEditor("newest");
  const runDirectory = freshRunDirectory("bench-activation");
  const extensionsDirectory = path.join(runDirectory, "extensions");
  installVsix(editor, vsixFile, extensionsDirectory);
  const installed = installedFolder(extensionsDirectory);
  const outputFile = path.join(runDirectory, "measured.json");
  plantProbe(installed, outputFile);

  const server = await startServer({ editor, runDirectory, extensionsDirectory });
  const browser = await launchBrowser();
  const runs: Measured[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const user = await newContext(browser);
      const page = await openWindow(user, server);
      await usageItem(page).waitFor({ timeout: 60_000 });
      const measured = await until(() => takeMeasured(outputFile));
      if (measured === undefined) throw new Error("Forge did not activate");
      console.log(`round ${round + 1}: activate ${measured.activateMs.toFixed(1)} ms`);
      runs.push(measured);
      await user.close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }

  const [first] = runs;
  const loaded = (first?.loadedFiles ?? []).map((file) => ({ file, bytes: statSync(file).size }));
  for (const { file, bytes } of loaded) console.log(`  ${path.relative(installed, file)} ${bytes} bytes`);
  return {
    figures: {
      activateMs: round1(median(runs.map(({ activateMs }) => activateMs))),
      parseMs: round1(median(runs.map(({ parseMs }) => parseMs))),
      bytesLoadedAtActivationKb: round1(loaded.reduce((sum, { bytes }) => sum + bytes, 0) / 1024),
      vsixMb: Math.round((vsixBytes / 1024 / 1024) * 100) / 100,
    },
  };
}

/** Folder of the installed Forge. */
function installedFolder(extensionsDirectory: string): string {
  const list = readFileSync(path.join(extensionsDirectory, "extensions.json"), "utf8");
  const [entry] = JSON.parse(list) as readonly { readonly relativeLocation: string }[];
  if (entry === undefined) throw new Error("Forge is not installed");
  return path.join(extensionsDirectory, entry.relativeLocation);
}

/**
 * Puts the probe before the entry file. It counts every file of Forge that is loaded, read, or started as a worker
 * until `activate()` has resolved.
 */
function plantProbe(installed: string, outputFile: string): void {
  const manifestFile = path.join(installed, "package.json");
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as { readonly main: string };
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, main: "./probe.cjs" }));
  writeFileSync(path.join(installed, "probe.cjs"), probeSource(manifest.main, outputFile));
}

function probeSource(main: string, outputFile: string): string {
  return `
    const fs = require("node:fs");
    const workers = require("node:worker_threads");
    const touched = new Set();
    const note = (file) => {
      const name = file instanceof URL ? file.pathname : String(file);
      if (name.startsWith(__dirname) && name !== __filename) touched.add(name);
    };
    const watch = (holder, name) => {
      const original = holder[name];
      holder[name] = function (file, ...rest) { note(file); return original.call(this, file, ...rest); };
      return () => { holder[name] = original; };
    };
    const Worker = workers.Worker;
    workers.Worker = class extends Worker { constructor(file, options) { note(file); super(file, options); } };
    const undo = [watch(fs, "readFileSync"), watch(fs, "readFile"), watch(fs, "openSync"), watch(fs.promises, "readFile"),
      watch(fs.promises, "open"), () => { workers.Worker = Worker; }];

    const start = performance.now();
    const forge = require(${JSON.stringify(main)});
    const parseMs = performance.now() - start;
    exports.activate = async (context) => {
      const before = performance.now();
      const api = await forge.activate(context);
      const activateMs = parseMs + performance.now() - before;
      for (const step of undo) step();
      for (const file of Object.keys(require.cache)) note(file);
      const result = { activateMs, parseMs, loadedFiles: [...touched] };
      fs.writeFileSync(${JSON.stringify(outputFile)}, JSON.stringify(result));
      return api;
    };
    exports.deactivate = () => forge.deactivate?.();
  `;
}

/** Reads and removes the probe's output, if it is complete. */
function takeMeasured(outputFile: string): Measured | undefined {
  try {
    const measured = JSON.parse(readFileSync(outputFile, "utf8")) as Measured;
    writeFileSync(outputFile, "");
    return measured;
  } catch {
    return undefined; // not written yet, or incomplete
  }
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}
