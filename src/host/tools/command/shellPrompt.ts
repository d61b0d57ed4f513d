/** Detects a shell at its prompt: its command is over, whatever the editor reports. */

import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** For `ps` and for `stty`. */
const LIMIT_MS = 2_000;

/**
 * Whether the shell with process id `pid` is in the foreground of its terminal and reads single keys. While a command
 * runs, the command is in the foreground; while the shell runs a builtin, the terminal is in line mode. `undefined`
 * where that is unknown: on Windows, or where the process has ended.
 */
export async function isShellAtPrompt(pid: number | undefined): Promise<boolean | undefined> {
  if (pid === undefined || process.platform === "win32") return undefined;
  try {
    const { group, foreground, device } =
      process.platform === "linux" ? await readProcState(pid) : await readPsState(pid);
    if (group === undefined || foreground === undefined || !device?.startsWith("/dev/")) return undefined;
    return group === foreground && (await isRawMode(device));
  } catch {
    return undefined;
  }
}

interface ShellState {
  readonly group: string | undefined;
  /** Foreground process group of its terminal. */
  readonly foreground: string | undefined;
  readonly device: string | undefined;
}

async function readProcState(pid: number): Promise<ShellState> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name is in parentheses and may contain anything, even parentheses.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { group, foreground, device: await readlink(`/proc/${pid}/fd/0`) };
}

async function readPsState(pid: number): Promise<ShellState> {
  const columns = ["-o", "pgid=", "-o", "tpgid=", "-o", "tty="];
  const { stdout } = await run("ps", [...columns, "-p", String(pid)], { timeout: LIMIT_MS });
  const [group, foreground, tty] = stdout.trim().split(/\s+/);
  return { group, foreground, device: tty === undefined ? undefined : `/dev/${tty}` };
}

async function isRawMode(device: string): Promise<boolean> {
  const ofDevice = process.platform === "linux" ? "-F" : "-f";
  const { stdout } = await run("stty", [ofDevice, device, "-a"], { timeout: LIMIT_MS });
  return /(?:^|\s)-icanon\b/.test(stdout);
}
