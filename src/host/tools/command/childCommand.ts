/** Runs a command as a child process. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { CommandEnd } from "./commandRun.ts";
import { endingOf, hasGroups } from "./endingProcesses.ts";
import { type CheckAnswer, checkCalls, missingIn, type ProgramCall } from "./shells.ts";
import { inTerminal, PROCESS_ID_FD, readsTerminal } from "./terminalDevice.ts";

/** Time between the request to end and the kill. */
const GRACE_MS = 2_000;
/** Wait for remaining output after the command has ended. */
const DRAIN_MS = 500;
/** UTF-16 units of output that wait for a slow reader before the command has to wait. */
const MOST_UNREAD = 262_144;
const CHECK_LIMIT_MS = 5_000;

export interface ChildRequest {
  readonly call: ProgramCall;
  /** Absolute path. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  /** In a terminal of its own, which takes input. */
  readonly isTty: boolean;
  /** Resolves when the piece has been read. */
  readonly output: (piece: string) => Promise<void>;
  /** The time is over, or the user stops it: it is told to end. */
  readonly stops?: () => void;
}

export interface RunningChild {
  /** Settles after all output; rejects when the program cannot be started. */
  readonly end: Promise<CommandEnd>;
  /** Passes on what the user types; without a terminal, nothing. */
  type(text: string): void;
  /** True if it waits for input, as far as that can be known. */
  isReading(): Promise<boolean>;
}

export function startChild(request: ChildRequest, cancel: CancelSignal): RunningChild {
  const { folder, environment, limitMs, isTty } = request;
  const inner = request.call;
  const device = isTty ? inTerminal(inner, environment["SHELL"] ?? "", process.platform) : undefined;
  const { file, args, isVerbatim } = device ?? inner;
  const child = spawn(file, args, {
    cwd: folder,
    env: device === undefined ? environment : { ...environment, SHELL: "/bin/sh" },
    stdio: [device === undefined ? "ignore" : "pipe", "pipe", "pipe", device === undefined ? "ignore" : "pipe"],
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim === true,
    detached: hasGroups(process.platform),
  });
  const groups = device === undefined ? [] : sessionOf(child);
  child.stdin?.on("error", () => undefined); // it has ended
  const end = new Promise<CommandEnd>((resolve, reject) => {
    let early: CommandEnd | undefined;
    let force: NodeJS.Timeout | undefined;
    const stopEarly = (why: CommandEnd): void => {
      if (early !== undefined) return;
      early = why;
      request.stops?.();
      endTree(child, groups, "SIGTERM");
      force = setTimeout(endTree, GRACE_MS, child, groups, "SIGKILL");
    };
    const stop = (): void => {
      stopEarly({ kind: "cancelled" });
    };
    const limit = setTimeout(stopEarly, limitMs, { kind: "timedOut" });
    const done = (): void => {
      clearTimeout(limit);
      clearTimeout(force);
      cancel.removeEventListener("abort", stop);
    };
    cancel.addEventListener("abort", stop);
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    for (const stream of streams) readInTurn(stream, request.output);
    child.once("error", (error) => {
      done();
      reject(error);
    });
    child.once("exit", () => {
      // Background processes may hold the pipes open forever; the command's own output has been written by now.
      if (early !== undefined) endTree(child, groups, "SIGKILL");
      clearTimeout(force);
      child.stdin?.destroy();
      force = setTimeout(() => {
        for (const stream of streams) stream.destroy();
      }, DRAIN_MS);
    });
    child.once("close", (exitCode) => {
      done();
      resolve(early ?? { kind: "ended", exitCode: exitCode ?? undefined });
    });
  });
  return {
    end,
    type: (text) => {
      if (child.stdin?.writable === true) child.stdin.write(text);
    },
    isReading: async () => {
      const [session] = groups;
      return session !== undefined && (await readsTerminal(session));
    },
  };
}

/** Says what is missing in a command that is not complete: an open quote, say. Only parses it. */
export async function missingPart(
  shell: string,
  command: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  // Without the files that a shell reads before a command.
  const inEnglish = { ...environment, BASH_ENV: undefined, ENV: undefined, LC_ALL: "C" };
  const calls = checkCalls(shell, command);
  return missingIn(await Promise.all(calls.map((call) => answerOf(call, inEnglish))));
}

function answerOf(call: ProgramCall, env: NodeJS.ProcessEnv): Promise<CheckAnswer> {
  return new Promise((resolve) => {
    const options = { env, timeout: CHECK_LIMIT_MS, windowsHide: true };
    const child = execFile(call.file, call.args, options, (error, _, errors) => {
      resolve({ exitCode: error === null ? 0 : (child.exitCode ?? -1), errors });
    });
    child.stdin?.end();
  });
}

/** Stops reading while too much waits to be shown, so that the program waits, too. */
function readInTurn(stream: Readable, output: (piece: string) => Promise<void>): void {
  let unread = 0;
  stream.setEncoding("utf8");
  stream.on("data", (piece: string) => {
    unread += piece.length;
    if (unread > MOST_UNREAD) stream.pause();
    void output(piece).then(() => {
      unread -= piece.length;
      if (unread <= MOST_UNREAD) stream.resume();
    });
  });
}

/** The process group of a command in a terminal, once it is known. */
function sessionOf(child: ChildProcess): number[] {
  const groups: number[] = [];
  const stream = child.stdio[PROCESS_ID_FD] as Readable | null | undefined;
  let text = "";
  stream?.on("data", (piece: Buffer) => {
    text += piece.toString();
    const id = Number(text);
    if (text.endsWith("\n") && Number.isSafeInteger(id) && id > 1) groups.push(id);
  });
  stream?.on("error", () => undefined);
  return groups;
}

function endTree(child: ChildProcess, groups: readonly number[], signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  const { call, signalled } = endingOf(child.pid, groups, signal, process.platform);
  if (call !== undefined) execFile(call.file, call.args, { windowsHide: true }, () => undefined); // fails where it has ended already
  for (const id of signalled) {
    try {
      process.kill(id, signal);
    } catch {
      // The group has ended already.
    }
  }
}
