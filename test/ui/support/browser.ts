import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { EditorServer } from "../../../scripts/vscode/editorServer.ts";

/** Longest time for a window to be painted, or for an extension to become active in it. */
export const windowTimeoutMs = 60_000;

export interface WindowOptions {
  /** The server's own workspace by default. */
  readonly folder?: string;
  /** A `.code-workspace` file, instead of a folder. */
  readonly workspaceFile?: string;
  /** Folder of an extension in development. */
  readonly extension?: string;
  /** Path of a module whose `run()` the extension host calls. */
  readonly tests?: string;
}

export interface UserOptions {
  /** Language of the workbench, as set by a language pack. The workbench's own texts stay English without one. */
  readonly language?: string;
  /** Device pixel ratio; 1 by default. */
  readonly scale?: number;
}

/**
 * The profile of one user. Windows of one user are pages of ONE context, since globalState and secrets live in the
 * browser's storage. Answers `/mint-key`, which the server does not: otherwise secrets are lost at a reload.
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

/** Address of a window, on `localhost` like the editor's own addresses, not on 127.0.0.1. */
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
