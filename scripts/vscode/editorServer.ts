/** Runs VS Code's server with a separate data folder. It listens on 127.0.0.1 only and ends with this process. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import type { Editor } from "./editors.ts";
import { testDirectory } from "./nodeRuntime.mjs";
import { writeServerSettings } from "./serverSettings.ts";
import { until } from "./until.ts";

export interface ServerOptions {
  readonly editor: Editor;
  /** Folder of settings, globalStorage, the workspace and `server.log`; see `freshRunDirectory`. */
  readonly runDirectory: string;
  /** Folder of installed extensions; one of the run by default. Servers may share a read-only one. */
  readonly extensionsDirectory?: string;
  /** Folder of the editor's own extensions; all of them by default. */
  readonly builtInsDirectory?: string;
  /** A free port by default. */
  readonly port?: number;
  /** Added to the environment of the server and its extension hosts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Added to the settings that make the workbench quiet and offline, and overrides them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** For tests inside the extension host only: hides toasts and answers dialogs by itself. */
  readonly driver?: boolean;
  /** Ends by itself after five minutes without a window, so that no server is left running; true by default. */
  readonly endsWhenUnused?: boolean;
}

export interface EditorServer {
  readonly port: number;
  readonly pid: number;
  readonly runDirectory: string;
  readonly workspace: string;
  readonly logFile: string;
  /** globalStorage folder of extension `id` (`publisher.name`). */
  globalStorage(id: string): string;
  /** Ends it as a user would, and kills it after five seconds. */
  stop(): Promise<void>;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
}

/** An empty data folder `.vscode-test/runs/NAME`, cleared of earlier runs. */
export function freshRunDirectory(name: string): string {
  const directory = path.join(testDirectory, "runs", name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** Starts a server and waits until it answers. Throws with its log after a minute. */
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
    "--disable-websocket-compression", // costs more than it saves on one machine
    ...(options.builtInsDirectory === undefined ? [] : ["--builtin-extensions-dir", options.builtInsDirectory]),
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

/** Resolves when `child` has ended. Kills it when this process ends, however that happens. */
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

/** A port on 127.0.0.1 that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
