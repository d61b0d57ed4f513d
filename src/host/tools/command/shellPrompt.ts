/** Whether a shell waits at its prompt: then what it was told to run is over, whatever the editor says of it. */

import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How long `ps` and `stty` may take. */
const LIMIT_MS = 2_000;

/**
 * Whether the shell with process id `pid` is in the foreground of its terminal, and reads keys there as they are pressed.
 * While a command runs, that is in the foreground instead; while the shell itself runs something, it takes whole lines.
 * `undefined` where nobody can say: on Windows, or where the process is gone.
 */
export async function isShellAtPrompt(pid: number | undefined): Promise<boolean | undefined> {
  if (pid === undefined || process.platform === "win32") return undefined;
  try {
    const { group, foreground, device } = process.platform === "linux" ? await ofLinux(pid) : await ofPs(pid);
    if (group === undefined || foreground === undefined || !device?.startsWith("/dev/")) return undefined;
    return group === foreground && (await readsKeys(device));
  } catch {
    return undefined;
  }
}

interface ShellState {
  readonly group: string | undefined;
  /** The group in the foreground of its terminal. */
  readonly foreground: string | undefined;
  /** Path of its terminal. */
  readonly device: string | undefined;
}

async function ofLinux(pid: number): Promise<ShellState> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name stands in parentheses and may hold anything, parentheses too.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { group, foreground, device: await readlink(`/proc/${pid}/fd/0`) };
}

async function ofPs(pid: number): Promise<ShellState> {
  const columns = ["-o", "pgid=", "-o", "tpgid=", "-o", "tty="];
  const { stdout } = await run("ps", [...columns, "-p", String(pid)], { timeout: LIMIT_MS });
  const [group, foreground, tty] = stdout.trim().split(/\s+/);
  return { group, foreground, device: tty === undefined ? undefined : `/dev/${tty}` };
}

async function readsKeys(device: string): Promise<boolean> {
  const ofDevice = process.platform === "linux" ? "-F" : "-f";
  const { stdout } = await run("stty", [ofDevice, device, "-a"], { timeout: LIMIT_MS });
  return /(?:^|\s)-icanon\b/.test(stdout);
}
