/** Runs a command as a child process, without a terminal: nothing can be typed into it. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { CommandEnd, CommandRequest } from "./commandRun.ts";
import { commandEnvironment } from "./environmentSecrets.ts";

/** How long a command that was asked to end may take before it is killed. */
const GRACE_MS = 2_000;
/** How long the output of a command that has ended is waited for. */
const DRAIN_MS = 500;

/** Runs it in the user's usual shell. Rejects when there is no shell to run it. */
export function runAsChild(request: CommandRequest, cancel: CancelSignal): Promise<CommandEnd> {
  const { command, folder, limitMs, output } = request;
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd: folder,
      shell: true,
      env: commandEnvironment(process.env),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      detached: process.platform !== "win32", // a group of its own, which can be ended as a whole
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
      // What it left running may hold the pipes open for ever; its own output has been written by now.
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

/** Ends a process and what it started. */
function endTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    execFile("taskkill", ["/pid", String(child.pid), "/T", "/F"], () => undefined); // fails where it is gone already
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}
