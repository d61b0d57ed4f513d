/**
 * A terminal of the system for a command, so that it runs as it would when typed: it can ask, and ask for a password
 * without showing it. Node has none; the program `script`, which Linux and macOS come with, makes one and passes on what
 * goes in and out. Without it, and on Windows, a command gets no input, so that it ends instead of waiting.
 */

import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import type { ScreenSize } from "../../../core/tools/terminalScreen.ts";
import type { ProgramCall } from "./shells.ts";

/** Wide, since models need no narrow lines. */
export const TERMINAL_SIZE: ScreenSize = { columns: 200, rows: 50 };

/** Number of the file descriptor on which the process id of the command arrives, as one line. */
export const PROCESS_ID_FD = 3;

/**
 * Prepares the terminal, tells its process id, which is that of its session, and becomes the command. The end of the
 * terminal does not end what the command has left in the background. `$1` is the value of SHELL, which `script` reads.
 */
const BECOME =
  `stty rows ${TERMINAL_SIZE.rows} cols ${TERMINAL_SIZE.columns} echo 2>/dev/null; trap '' HUP; ` +
  `if [ -n "$1" ]; then SHELL=$1; else unset SHELL; fi; shift; echo $$ >&${PROCESS_ID_FD}; ` +
  `exec "$@" ${PROCESS_ID_FD}>&-`;

/** The call that runs `inner` in a terminal of its own, with `SHELL=/bin/sh`; `undefined` where there is none. */
export function inTerminal(inner: ProgramCall, shell: string, system: NodeJS.Platform): ProgramCall | undefined {
  const become = ["/bin/sh", "-c", BECOME, "sh", shell, inner.file, ...inner.args];
  switch (system) {
    case "linux":
      return { file: "script", args: ["-qefc", `exec ${become.map(quoted).join(" ")}`, "/dev/null"] };
    case "darwin":
      // Its `script` refuses the sockets that Node has for pipes, but takes a pipe.
      return {
        file: "/bin/bash",
        args: ["-c", 'exec /usr/bin/script -q /dev/null "$@" < <(exec /bin/cat)', "bash", ...become],
      };
    default:
      return undefined;
  }
}

const CHECK: ProgramCall = { file: "/bin/sh", args: ["-c", "test -t 0 && test -t 1 && test -t 2 && exit 7"] };
const CHECK_LIMIT_MS = 5_000;

/** True if commands can have terminals here: `script` is there, and returns the exit code. Never rejects. */
export function hasTerminals(system: NodeJS.Platform): Promise<boolean> {
  const call = inTerminal(CHECK, "", system);
  if (call === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const options = { timeout: CHECK_LIMIT_MS, env: { ...process.env, SHELL: "/bin/sh" } };
    const child = execFile("/bin/sh", ["-c", 'exec "$@" 3>/dev/null', "sh", call.file, ...call.args], options, () => {
      resolve(child.exitCode === 7);
    });
  });
}

/** By processor. */
const READ_CALLS: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: "0", arm64: "63" };

/** Number of the system call `read`; `undefined` where no file tells which call a process waits in. */
export function readCallOf(system: NodeJS.Platform, processor: NodeJS.Architecture): string | undefined {
  return system === "linux" ? READ_CALLS[processor] : undefined;
}

/** True if a process of the session waits for its terminal, as far as that can be known. Never rejects. */
export async function readsTerminal(session: number): Promise<boolean> {
  const read = readCallOf(process.platform, process.arch);
  if (read === undefined) return false;
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const answers = await Promise.all(processes.map((id) => isReading(id, session, read)));
  return answers.includes(true);
}

async function isReading(id: string, session: number, read: string): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${id}/stat`, "utf8");
    // Behind the name in parentheses: state, parent, group, session.
    if (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3] !== String(session)) return false;
    const [call, file] = (await readFile(`/proc/${id}/syscall`, "utf8")).split(" ");
    if (call !== read || file === undefined) return false;
    return /^\/dev\/(?:pts\/|tty)/.test(await readlink(`/proc/${id}/fd/${Number(file)}`));
  } catch {
    return false; // it has ended, or is another user's
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
