/** Runs child processes and kills them without warning, as in a crash. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Output of a killed child. */
export interface ChildOutput {
  /** Complete lines, without one that was cut off. */
  readonly lines: readonly string[];
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
  readonly errorText: string;
}

export interface ChildRun {
  /** Path of a TypeScript file, relative to this one. */
  readonly script: string;
  readonly args: readonly string[];
  /** Delay of the kill after the line that begins with `killAfterLine`. Absent: the child ends by itself. */
  readonly killAfterMs?: number;
  /** Default: the first line. */
  readonly killAfterLine?: string;
}

/** Runs a script and kills it by SIGKILL. */
export function runAndKill({ script, args, killAfterMs, killAfterLine = "" }: ChildRun): Promise<ChildOutput> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errorText = "";
    let armed = killAfterMs === undefined;
    child.stdout.on("data", (data: Buffer) => {
      output += data.toString("utf8");
      const lines = output.split("\n").slice(0, -1);
      if (armed || !lines.some((line) => line.startsWith(killAfterLine))) return;
      armed = true;
      setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    });
    child.stderr.on("data", (data: Buffer) => {
      errorText += data.toString("utf8");
      process.stderr.write(data);
    });
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      resolve({ lines: output.split("\n").slice(0, -1), signal, exitCode, errorText });
    });
  });
}
