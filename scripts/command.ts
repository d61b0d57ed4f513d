import { spawn } from "node:child_process";
import path from "node:path";

/** The project's folder, in which programs run. */
export const projectDirectory = path.resolve(import.meta.dirname, "..");

export interface CommandOptions {
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Time after which the program is killed, which counts as a failure. */
  readonly timeoutMs?: number;
  /** Captures the program's output instead of printing it. */
  readonly quiet?: boolean;
}

export interface CommandResult {
  /** "" if it exited with 0; else a description of the failure. */
  readonly failure: string;
  /** Captured output, if `quiet`. */
  readonly output: string;
}

/** Runs a program to its end. Never rejects. */
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

/** Runs a program of an installed package, or a script of the project, with this process's Node. */
export function runNode(
  script: string,
  scriptArguments: readonly string[],
  options?: CommandOptions,
): Promise<CommandResult> {
  return runCommand(process.execPath, [script, ...scriptArguments], options);
}
