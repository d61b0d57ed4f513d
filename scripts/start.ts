/**
 * `npm start`: opens Forge and a small example workspace in the desktop's VS Code, or else starts a server and prints
 * its address. `npm start -- --real` connects a small real model that runs on this machine. `npm start -- --check` sends a
 * message headlessly through the real side bar, and prints how long each step took.
 */

import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { answer, openChat, send } from "../test/ui/support/chat.ts";
import { launchBrowser } from "./vscode/launchBrowser.ts";
import { newContext, openWindow } from "../test/ui/support/browser.ts";
import { screenshot } from "../test/ui/support/workbench.ts";
import { runCommand } from "./command.ts";
import { packageVsix } from "./packageVsix.ts";
import { type LlamaServer, startLlama } from "./real/llamaServer.ts";
import { noPackages } from "./real/packages.ts";
import { desktopCode } from "./vscode/desktopCode.ts";
import { startFront } from "./vscode/editorFront.ts";
import { freshRunDirectory, startServer } from "./vscode/editorServer.ts";
import { exampleWorkspace } from "./vscode/exampleWorkspace.ts";
import { installEditor } from "./vscode/installEditor.ts";
import { installForge, vsixFile } from "./vscode/installForge.ts";
import { testDirectory } from "./vscode/nodeRuntime.mjs";

/** Opens the desktop's VS Code, without the user's own settings and extensions. */
async function startDesktop(code: string): Promise<void> {
  const directory = path.join(testDirectory, "desktop");
  const data = [
    "--user-data-dir",
    path.join(directory, "data"),
    "--extensions-dir",
    path.join(directory, "extensions"),
  ];
  for (const step of [
    ["--install-extension", vsixFile, "--force"],
    ["--new-window", exampleWorkspace()],
  ]) {
    const { failure } = await runCommand(code, [...data, ...step]);
    if (failure !== "") throw new Error(`${code} ${step.join(" ")}: ${failure}`);
  }
  console.log("VS Code is open. Forge is in its activity bar.");
}

/**
 * Starts the server and runs until interrupted. Conversations and keys persist between starts. `model`: the server that
 * answers; none is connected without it.
 */
async function startInBrowser(model?: LlamaServer): Promise<void> {
  const runDirectory = path.join(testDirectory, model === undefined ? "start" : "start-real");
  mkdirSync(runDirectory, { recursive: true });
  // The address of an earlier start would win.
  if (model !== undefined) rmSync(path.join(runDirectory, "data/Machine/settings.json"), { force: true });
  const connected = model === undefined ? {} : { "forge.openaiCompatible.baseUrl": `${model.url}/v1` };
  const editor = installEditor("newest");
  const server = await startServer({
    editor,
    runDirectory,
    extensionsDirectory: installForge(editor),
    settings: { "workbench.startupEditor": "readme", ...connected },
    endsWhenUnused: false,
  });
  const keyFile = path.join(runDirectory, "secrets.key");
  const port = await startFront({ preferredPort: 8421, serverPort: server.port, keyFile });
  const stop = (): void => {
    void Promise.all([server.stop(), model?.stop()]).then(() => process.exit());
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  const query = new URLSearchParams({ folder: exampleWorkspace() });
  console.log(
    `Open http://localhost:${port}/?${query.toString()} and click Forge in the activity bar. Ctrl+C ends it.`,
  );
}

/** Runs `step` and adds its duration to `times`. */
async function timed<T>(times: string[], name: string, step: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await step();
  times.push(`${name} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

async function check(times: string[]): Promise<void> {
  const editor = await timed(times, "editor", () => installEditor("newest"));
  const server = await timed(times, "server", () =>
    startServer({ editor, runDirectory: freshRunDirectory("start"), extensionsDirectory: installForge(editor) }),
  );
  const browser = await timed(times, "browser", launchBrowser);
  const user = await newContext(browser);
  try {
    const page = await timed(times, "window", () => openWindow(user, server, { folder: exampleWorkspace() }));
    const chat = await timed(times, "chat", () => openChat(page, /./)); // any model, or offline
    await timed(times, "answer", async () => {
      await send(chat, "What can you do for me?");
      if ((await answer(chat)).trim() === "") throw new Error("the answer is empty");
    });
    console.log(`ready ${times.join(", ")}`);
  } catch (error) {
    console.error(`not ready after ${times.join(", ")}: ${error instanceof Error ? error.message : String(error)}`);
    for (const page of user.pages()) console.error(`see ${await screenshot(page, "start-check")}`);
    process.exitCode = 1;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** In a browser, also where the desktop's VS Code is installed: the model ends with this process. */
async function startWithModel(): Promise<void> {
  const missing = noPackages();
  if (missing !== undefined) throw new Error(`--real ${missing}`);
  await startInBrowser(await startLlama());
}

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, real: { type: "boolean", default: false } },
});
const times: string[] = [];
await timed(times, "package", packageVsix);
if (values.check) await check(times);
else if (values.real) await startWithModel();
else {
  const code = desktopCode();
  await (code === undefined ? startInBrowser() : startDesktop(code));
}
