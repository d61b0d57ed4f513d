/** Running other programs. */

import { spawn } from "node:child_process";
import path from "node:path";

/** Folder of the project; programs run in it. */
export const projectDirectory = path.resolve(import.meta.dirname, "..");

/** How a program is run. */
export interface CommandOptions {
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** After this long the program is killed, which counts as a failure. */
  readonly timeoutMs?: number;
  /** Keeps what the program prints instead of showing it. */
  readonly quiet?: boolean;
}

/** How a program ended. */
export interface CommandResult {
  /** "" when it exited with 0; else what happened instead, in words. */
  readonly failure: string;
  /** What it printed, when that was kept. */
  readonly output: string;
}

/** Runs a program to its end; never rejects. */
export function runCommand(
  program: string,
  programArguments: readonly string[],
  { env = {}, timeoutMs = 600_000, quiet = false }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, programArguments, {
      cwd: projectDirectory,
      env: { ...process.env, ...env },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let output = "";
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.on("error", (error) => {
      resolve({ failure: `did not start: ${error.message}`, output });
    });
    child.on("close", (code, signal) => {
      const ending = code === null ? `ended by ${String(signal)}` : `exit code ${code}`;
      resolve({ failure: code === 0 ? "" : ending, output });
    });
  });
}

/** Runs a JavaScript program of an installed package, or a script of the project, with this process's Node. */
export function runNode(
  script: string,
  scriptArguments: readonly string[],
  options?: CommandOptions,
): Promise<CommandResult> {
  return runCommand(process.execPath, [script, ...scriptArguments], options);
}
