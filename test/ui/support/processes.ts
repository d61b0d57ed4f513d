/** The processes of a window, for tests that kill them. */

import { readFileSync, readdirSync } from "node:fs";
import type { EditorServer } from "../../../scripts/vscode/editorServer.ts";
import { until } from "../../../scripts/vscode/until.ts";

/** Process ids of the server's extension hosts, one per window, in ascending order. */
export function extensionHostPids(server: EditorServer): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === server.pid && commandLine(pid).includes("--type=extensionHost"))
    .sort((one, other) => one - other);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // no such process
  }
}

/**
 * Kills the only extension host of `server` with SIGKILL, waits until it is gone, and returns its process id. VS Code
 * restarts it by itself twice, and asks the user from the third time within five minutes.
 */
export async function killExtensionHost(server: EditorServer): Promise<number> {
  const pid = await until(() => {
    const pids = extensionHostPids(server);
    return pids.length === 1 ? pids[0] : undefined;
  });
  if (pid === undefined) {
    throw new Error(`one extension host was expected, not ${String(extensionHostPids(server).length)}`);
  }
  process.kill(pid, "SIGKILL");
  const isGone = await until(() => (isAlive(pid) ? undefined : true));
  if (isGone === undefined) throw new Error(`extension host ${pid} outlived SIGKILL`);
  return pid;
}

function parentOf(pid: number): number | undefined {
  // pid (name, which may hold anything) state parent …
  const afterName = readProcess(pid, "stat").split(") ").at(-1) ?? "";
  return Number(afterName.split(" ")[1]);
}

function commandLine(pid: number): string {
  return readProcess(pid, "cmdline").replaceAll("\0", " ");
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // it has ended
  }
}
