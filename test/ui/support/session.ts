/** Runs UI tests: a VS Code server with the packaged Forge, and one user's browser. A failed test leaves screenshots. */

import { existsSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  type EditorServer,
  type ServerOptions,
  freshRunDirectory,
  startServer,
} from "../../../scripts/vscode/editorServer.ts";
import { neededBuiltIns } from "../../../scripts/vscode/builtIns.ts";
import { parseEditorName } from "../../../scripts/vscode/editors.ts";
import { installEditor } from "../../../scripts/vscode/installEditor.ts";
import { installForge } from "../../../scripts/vscode/installForge.ts";
import { installBeside } from "../../../scripts/testing/buildForHost.ts";
import { launchBrowser } from "../../../scripts/vscode/launchBrowser.ts";
import { type WindowOptions, newContext, openWindow } from "./browser.ts";
import { screenshot } from "./workbench.ts";

const testSettings = {
  // A click on a view's icon shows the view, even while it is opening, and never hides it.
  "workbench.activityBar.iconClickBehavior": "focus",
  // What no test looks at, and costs a quarter of their time.
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "typescript.disableAutomaticTypeAcquisition": true,
  "typescript.tsserver.useSyntaxServer": "never",
};

export interface SessionOptions {
  /** Names the run's folder and its screenshots; unique among the suites. */
  readonly name: string;
  /** User settings. Called after the suite's earlier hooks. */
  readonly settings?: () => Readonly<Record<string, unknown>>;
  /** Model servers that Forge finds on this machine, such as "ollama:4711"; none by default. Called like `settings`. */
  readonly localPorts?: () => string;
  /** Name of an extension in `test/support/extensions` that is installed beside Forge. */
  readonly beside?: string;
  /** Language of the workbench, such as "de"; English by default. */
  readonly language?: string;
}

/** Usable inside the suite's tests and hooks only. */
export interface Session {
  readonly server: EditorServer;
  /** The user's browser profile, with the windows of `openWindow`. */
  readonly user: BrowserContext;
  /** Opens a window and waits until it is painted. */
  openWindow(options?: WindowOptions): Promise<Page>;
  /** Starts the server again on the same port and data, after `server.stop()` or `server.kill()`. */
  restartServer(): Promise<void>;
}

/** Starts a session before the tests of the surrounding `describe`, and ends it after them. */
export function useSession(options: SessionOptions): Session {
  let browser: Browser | undefined;
  let user: BrowserContext | undefined;
  let server: EditorServer | undefined;
  const serverOptions = async (): Promise<ServerOptions> => {
    const editor = installEditor(parseEditorName(process.env["FORGE_TEST_EDITOR"] ?? "newest"));
    const runDirectory = server?.runDirectory ?? freshRunDirectory(options.name);
    const port = server === undefined ? {} : { port: server.port };
    const { localPorts = () => "", settings = () => ({}), beside } = options;
    const installed = installForge(editor);
    const own = path.join(runDirectory, "extensions");
    if (beside !== undefined && server === undefined) await installBeside(installed, own, beside);
    const extensionsDirectory = beside === undefined ? installed : own;
    const env = { FORGE_LOCAL_PORTS: localPorts() };
    const common = { editor, runDirectory, builtInsDirectory: neededBuiltIns(editor) };
    return { ...common, env, settings: { ...testSettings, ...settings() }, ...port, extensionsDirectory };
  };

  before(async function () {
    this.timeout(180_000);
    [server, browser] = await Promise.all([serverOptions().then(startServer), launchBrowser()]);
    user = await newContext(browser, options.language === undefined ? {} : { language: options.language });
  });

  afterEach(async function () {
    // A test whose earlier hook failed has no state at all.
    if (this.currentTest === undefined || this.currentTest.isPassed() || this.currentTest.isPending()) return;
    const title = this.currentTest.title.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 60);
    for (const [index, page] of (user?.pages() ?? []).entries()) {
      const file = await screenshot(page, `failed-${options.name}-${title}-${index + 1}`).catch(String);
      console.error(`      see ${path.relative(".", file)}`);
    }
    if (server !== undefined && existsSync(server.logFile)) {
      console.error(`      and ${path.relative(".", server.logFile)}`);
    }
  });

  after(async function () {
    this.timeout(30_000);
    await browser?.close();
    await server?.stop();
  });

  return {
    get server() {
      return present(server);
    },
    get user() {
      return present(user);
    },
    openWindow: (windowOptions) => openWindow(present(user), present(server), windowOptions),
    restartServer: async () => {
      server = await startServer(await serverOptions());
    },
  };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the session is there only inside its suite's tests and hooks");
  return value;
}
