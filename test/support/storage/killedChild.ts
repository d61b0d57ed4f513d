/** Child processes that are killed without warning, as a crash kills them. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a killed child said. */
export interface ChildOutput {
  /** Whole lines: one that was cut off is left out. */
  readonly lines: readonly string[];
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
}

/** How to run a child. */
export interface ChildRun {
  /** A TypeScript file beside this one. */
  readonly script: string;
  readonly args: readonly string[];
  /** The kill comes this long after the first line of output; absent: the child ends by itself. */
  readonly killAfterMs?: number;
}

/** Runs a script and kills it with SIGKILL. */
export function runAndKill({ script, args, killAfterMs }: ChildRun): Promise<ChildOutput> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    let armed = killAfterMs === undefined;
    child.stdout.on("data", (data: Buffer) => {
      output += data.toString("utf8");
      if (armed || !output.includes("\n")) return;
      armed = true;
      setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    });
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      resolve({ lines: output.split("\n").slice(0, -1), signal, exitCode });
    });
  });
}
