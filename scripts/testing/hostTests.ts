/**
 * Tests inside a real extension host, where mocha has the `vscode` API. Results are read from the file that the tests
 * write at their end, since a crashed extension host may still be reported as exit code 0.
 */

import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { format } from "node:util";
import type { Page } from "playwright-core";
import { launchBrowser } from "../vscode/launchBrowser.ts";
import { newContext, windowTimeoutMs, workbenchUrl } from "../../test/ui/support/browser.ts";
import { extensionHostPids, isAlive } from "../../test/ui/support/processes.ts";
import { screenshot } from "../../test/ui/support/workbench.ts";
import { projectDirectory } from "../command.ts";
import { type EditorServer, freshRunDirectory, startServer } from "../vscode/editorServer.ts";
import type { Editor } from "../vscode/editors.ts";
import { until } from "../vscode/until.ts";
import { buildExtension, buildForHost } from "./buildForHost.ts";
import { type Counts, readCounts } from "./counts.ts";

const limitMs = 600_000;

/** Turns off auto save, which is on in a browser and off on a desktop. */
const desktopSettings = { "files.autoSave": "off" };

/** The module with `run()` that the extension host loads. */
export const hostTestsModule = path.join(projectDirectory, "dist/test/extensionHost/index.cjs");

/** Folder of the test extension with its own tools, which runs beside Forge. */
export const toolExtension = path.join(projectDirectory, "dist/test/toolExtension");

/** Builds the in-host tests, which need `dist/`, into CommonJS files for any editor's host. */
export async function buildHostTests(): Promise<void> {
  await buildForHost(path.dirname(hostTestsModule), globSync("test/extensionHost/*.ts", { cwd: projectDirectory }));
  await buildExtension("toolExtension", toolExtension);
}

/** Builds and runs the in-host tests on the extension in `dist/`. Throws if they do not complete. */
export async function runHostTests(editor: Editor, print: (line: string) => void): Promise<Counts> {
  await buildHostTests();
  const runDirectory = freshRunDirectory(`host-${editor.name}`);
  const reportFile = path.join(runDirectory, "report.txt");
  const countsFile = path.join(runDirectory, "counts.json");
  const env = { TEST_REPORT_FILE: reportFile, TEST_COUNTS_FILE: countsFile, FORGE_LOCAL_PORTS: "" };
  // A new server adopts the extensions that it finds in its folder.
  cpSync(toolExtension, path.join(runDirectory, "extensions/forge-tests.tool-extension-0.0.1"), { recursive: true });
  const server = await startServer({ editor, runDirectory, driver: true, env, settings: desktopSettings });
  const browser = await launchBrowser();
  try {
    const page = await (await newContext(browser)).newPage();
    const { ending, log } = await runInWindow(page, server, countsFile);
    if (existsSync(reportFile)) print(readFileSync(reportFile, "utf8").trimEnd());
    const counts = readResult(countsFile, ending);
    if (counts instanceof Error || counts.failed > 0) {
      writeFileSync(path.join(runDirectory, "workbench.log"), log.join("\n"));
      await screenshot(page, "failed-host").catch((error: unknown) => print(String(error)));
      if (counts instanceof Error) print(log.slice(-10).join("\n"));
      print(`see ${path.relative(".", runDirectory)}/workbench.log and server.log`);
    }
    if (counts instanceof Error) throw counts;
    return counts;
  } finally {
    await browser.close();
    await server.stop();
  }
}

function readResult(countsFile: string, ending: string): Counts | Error {
  try {
    return readCounts(countsFile, process.env["TEST_GREP"] !== undefined);
  } catch (error) {
    return new Error(`${ending}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Opens the window that runs the tests, and waits for their end, however they end. */
async function runInWindow(page: Page, server: EditorServer, countsFile: string) {
  const log: string[] = [];
  let end: (ending: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  // The web workbench calls these two functions of its window when it runs an extension's tests.
  await page.exposeFunction("codeAutomationExit", (code: number) => {
    end(`VS Code reports exit code ${code}`);
  });
  await page.exposeFunction("codeAutomationLog", (type: string, parts: unknown[]) => {
    log.push(`[${type}] ${format(...parts)}`);
  });
  page.on("crash", () => end("the page crashed"));
  const limit = setTimeout(end, limitMs, `no end after ${limitMs} ms`);
  await page.goto(workbenchUrl(server, { extension: projectDirectory, tests: hostTestsModule }));

  const host = await until(() => extensionHostPids(server)[0], windowTimeoutMs);
  if (host === undefined) end("no extension host started");
  const watch = setInterval(() => {
    if (host !== undefined && !isAlive(host) && !existsSync(countsFile)) end("the extension host died");
  }, 200);
  const ending = await ended;
  clearInterval(watch);
  clearTimeout(limit);
  return { ending, log };
}
