/** A server program on this machine: it ends with this process, together with the processes that it starts itself. */

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { until } from "../vscode/until.ts";

export interface ProgramOptions {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** True once it serves. */
  readonly isReady: () => Promise<boolean>;
  readonly timeoutMs?: number;
}

export interface LocalProgram {
  readonly pid: number;
  /** Ends it as its user does, and kills it after five seconds. */
  stop(): Promise<void>;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
}

/** Starts a program without waiting until it serves. */
export function spawnProgram({ program, env = {}, logFile, ...options }: ProgramOptions): LocalProgram & {
  readonly hasEnded: () => boolean;
} {
  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, "w");
  const child = spawn(program, options.arguments, {
    env: { ...process.env, ...env },
    stdio: ["ignore", log, log],
    detached: true, // a group of its own, so that its own processes end with it
  });
  closeSync(log);
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  const ended = endOf(child, () => {
    signalGroup("SIGKILL");
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    signalGroup(signal);
    const tooSlow = setTimeout(() => {
      signalGroup("SIGKILL");
    }, 5_000);
    await ended;
    clearTimeout(tooSlow);
    signalGroup("SIGKILL");
  };
  return {
    pid: child.pid ?? 0,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    hasEnded: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
  };
}

/** Starts a program and waits until it serves. Throws with the end of its log. */
export async function startProgram(options: ProgramOptions): Promise<LocalProgram> {
  const { isReady, timeoutMs = 120_000, logFile } = options;
  const child = spawnProgram(options);
  const state = await until(
    async () => (child.hasEnded() ? "ended" : (await isReady()) ? "ready" : undefined),
    timeoutMs,
  );
  if (state === "ready") return child;
  await child.kill();
  throw new Error(`${path.basename(options.program)} did not start\n${readFileSync(logFile, "utf8").slice(-2_000)}`);
}

function endOf(child: ChildProcess, killGroup: () => void): Promise<void> {
  process.once("exit", killGroup);
  return new Promise((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => {
      process.off("exit", killGroup);
      resolve();
    });
  });
}
