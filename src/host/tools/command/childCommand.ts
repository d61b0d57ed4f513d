/** Runs a command as a child process, which gets no input. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";
import { commandEnvironment } from "./environmentSecrets.ts";

/** Time between the request to end and the kill. */
const GRACE_MS = 2_000;
/** Wait for remaining output after the command has ended. */
const DRAIN_MS = 500;

/** Runs the command in a shell that is not interactive. Rejects when the shell cannot be started. */
export function runAsChild(request: CommandRequest, cancel: CancelSignal): Promise<CommandEnd> {
  const { command, folder, shell, limitMs, output } = request;
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd: folder,
      shell: shell ?? true,
      env: commandEnvironment(process.env),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      detached: process.platform !== "win32", // a process group, which can be ended as a whole
    });
    let early: CommandEnd | undefined;
    let force: NodeJS.Timeout | undefined;
    const end = (why: CommandEnd): void => {
      if (early !== undefined) return;
      early = why;
      endTree(child, "SIGTERM");
      force = setTimeout(endTree, GRACE_MS, child, "SIGKILL");
    };
    const stop = (): void => {
      end({ kind: "cancelled" });
    };
    const limit = setTimeout(end, limitMs, { kind: "timedOut" });
    const done = (): void => {
      clearTimeout(limit);
      clearTimeout(force);
      cancel.removeEventListener("abort", stop);
    };
    cancel.addEventListener("abort", stop);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", output);
    }
    child.once("error", (error) => {
      done();
      reject(error);
    });
    child.once("exit", () => {
      // Background processes may hold the pipes open forever; the command's own output has been written by now.
      if (early !== undefined) endTree(child, "SIGKILL");
      clearTimeout(force);
      force = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
    });
    child.once("close", (exitCode) => {
      done();
      resolve(early ?? { kind: "ended", exitCode: exitCode ?? undefined });
    });
  });
}

function endTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    execFile("taskkill", ["/pid", String(child.pid), "/T", "/F"], () => undefined); // fails where it has ended already
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended already.
  }
}
