/** Starts VS Code's server on a data folder of its own. It listens on 127.0.0.1 only and ends with this process. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import type { Editor } from "./editors.ts";
import { testDirectory } from "./nodeRuntime.mjs";
import { writeServerSettings } from "./serverSettings.ts";
import { until } from "./until.ts";

/** How a server is started. */
export interface ServerOptions {
  readonly editor: Editor;
  /** Holds settings, globalStorage, the workspace and `server.log`; see `freshRunDirectory`. */
  readonly runDirectory: string;
  /** Installed extensions; a folder of the run's own by default. Servers may share one that nobody changes. */
  readonly extensionsDirectory?: string;
  /** A free one by default. */
  readonly port?: number;
  /** Added to the environment of the server, and so to that of the extension hosts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Added to, or instead of, the settings that make the workbench quiet and offline. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Needed by tests inside the extension host, and only by them: it hides toasts and answers dialogs by itself. */
  readonly driver?: boolean;
  /** Ends by itself when no window was open for five minutes, so that none is ever left behind; the default. */
  readonly endsWhenUnused?: boolean;
}

/** A running server. */
export interface EditorServer {
  readonly port: number;
  readonly pid: number;
  readonly runDirectory: string;
  readonly workspace: string;
  readonly logFile: string;
  /** Folder on disk that extension `id` (`publisher.name`) gets as its globalStorage. */
  globalStorage(id: string): string;
  /** Ends it as a user would; kills it when it takes more than five seconds. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** An empty data folder `.vscode-test/runs/NAME`; what an earlier run left there is removed. */
export function freshRunDirectory(name: string): string {
  const directory = path.join(testDirectory, "runs", name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** Starts a server and waits until it answers; throws with its log when it does not within a minute. */
export async function startServer(options: ServerOptions): Promise<EditorServer> {
  const { editor, runDirectory, env = {}, settings = {}, driver = false, endsWhenUnused = true } = options;
  const places = layout(runDirectory, options.extensionsDirectory);
  for (const folder of [places.user, places.extensions, places.serverData, places.workspace]) {
    mkdirSync(folder, { recursive: true });
  }
  writeServerSettings(places.data, settings);

  const port = options.port ?? (await freePort());
  const log = openSync(places.logFile, "a");
  const serverArguments = [
    ...["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"],
    ...["--accept-server-license-terms", "--disable-telemetry"],
    ...(endsWhenUnused ? ["--enable-remote-auto-shutdown"] : []),
    ...(driver ? ["--enable-smoke-test-driver"] : []),
    ...dataArguments(runDirectory, options.extensionsDirectory),
  ];
  const child = spawn(editor.node, [path.join(editor.root, "out/server-main.js"), ...serverArguments], {
    cwd: editor.root,
    env: { ...process.env, ...env },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const ended = endOf(child);
  if (!(await answers(port, child)) || child.pid === undefined) {
    child.kill("SIGKILL");
    throw new Error(`the VS Code server did not start\n${readFileSync(places.logFile, "utf8")}`);
  }

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    const tooSlow = setTimeout(() => child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(tooSlow);
  };
  return {
    port,
    pid: child.pid,
    runDirectory,
    workspace: places.workspace,
    logFile: places.logFile,
    globalStorage: (id) => path.join(places.user, "globalStorage", id),
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

/** Installs a packaged extension into `extensionsDirectory`, as `code --install-extension` does. */
export function installVsix(editor: Editor, vsix: string, extensionsDirectory: string): void {
  const command = [path.join(editor.root, "out/server-main.js"), "--install-extension", path.resolve(vsix)];
  const data = dataArguments(freshRunDirectory(`install-${editor.name}`), extensionsDirectory);
  const output = execFileSync(editor.node, [...command, ...data], {
    cwd: editor.root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (!output.includes("successfully installed")) throw new Error(`${vsix} was not installed: ${output}`);
}

function layout(runDirectory: string, extensionsDirectory: string | undefined) {
  const user = path.join(runDirectory, "data/User");
  return {
    data: path.join(runDirectory, "data"),
    user,
    extensions: extensionsDirectory ?? path.join(runDirectory, "extensions"),
    serverData: path.join(runDirectory, "server"),
    workspace: path.join(runDirectory, "workspace"),
    logFile: path.join(runDirectory, "server.log"),
  };
}

function dataArguments(runDirectory: string, extensionsDirectory: string | undefined): readonly string[] {
  const { data, extensions, serverData } = layout(runDirectory, extensionsDirectory);
  return ["--user-data-dir", data, "--extensions-dir", extensions, "--server-data-dir", serverData];
}

/** Resolves when `child` is gone; until then it is killed when this process ends, however that happens. */
function endOf(child: ChildProcess): Promise<void> {
  const killWithUs = (): boolean => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  return new Promise((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => {
      process.off("exit", killWithUs);
      resolve();
    });
  });
}

async function answers(port: number, child: ChildProcess): Promise<boolean> {
  const hasEnded = (): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/version`).then(
      (response) => response.ok,
      () => false,
    );
  const state = await until(async () => (hasEnded() ? "ended" : (await isUp()) ? "up" : undefined), 60_000);
  return state === "up";
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
