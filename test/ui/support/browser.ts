/** Chromium, showing the web workbench of a VS Code server. */

import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { EditorServer } from "../../../scripts/vscode/editorServer.ts";

/** How long a window may take to be painted, or an extension to be active in it. */
export const windowTimeoutMs = 60_000;

/** What a window opens. */
export interface WindowOptions {
  /** The server's own workspace by default. */
  readonly folder?: string;
  /** A `.code-workspace` file, instead of a folder. */
  readonly workspaceFile?: string;
  /** Folder of an extension under development. */
  readonly extension?: string;
  /** File of a module with `run()`, which the extension host calls. */
  readonly tests?: string;
}

/** How a user's browser differs from the usual one. */
export interface UserOptions {
  /** That of the workbench, as a language pack would set it; its own words stay English without one. */
  readonly language?: string;
  /** Pixels of the screen for each of the page; 1 by default. */
  readonly scale?: number;
}

/**
 * The profile of one user. Two windows of one user are two pages of ONE context: globalState and secrets live in the
 * browser's storage. The server has nothing behind `/mint-key`, and without an answer secrets are forgotten at a reload.
 */
export async function newContext(browser: Browser, { language, scale = 1 }: UserOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: scale,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const key = Buffer.alloc(32, 7);
  if (language !== undefined) {
    await context.addInitScript((name) => {
      Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: name });
    }, language);
  }
  await context.route("**/mint-key", (route) => route.fulfill({ contentType: "application/octet-stream", body: key }));
  return context;
}

/** Address of a window. `localhost` and not 127.0.0.1: the editor's own addresses name the same authority. */
export function workbenchUrl(server: EditorServer, options: WindowOptions = {}): string {
  const { folder = server.workspace, workspaceFile, extension, tests } = options;
  const host = `localhost:${server.port}`;
  const remote = (file: string): string => `vscode-remote://${host}${path.resolve(file)}`;
  const payload = [
    ["skipWelcome", "true"],
    ...(extension === undefined ? [] : [["extensionDevelopmentPath", remote(extension)]]),
    ...(tests === undefined ? [] : [["extensionTestsPath", remote(tests)]]),
  ];
  const opened: Record<string, string> =
    workspaceFile === undefined ? { folder: path.resolve(folder) } : { workspace: path.resolve(workspaceFile) };
  const query = new URLSearchParams({ ...opened, payload: JSON.stringify(payload) });
  return `http://${host}/?${query.toString()}`;
}

/** Opens a window of this user and waits until the workbench is painted. */
export async function openWindow(
  context: BrowserContext,
  server: EditorServer,
  options: WindowOptions = {},
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(workbenchUrl(server, options));
  await page.waitForSelector(".monaco-workbench .part.statusbar", { timeout: windowTimeoutMs });
  return page;
}
