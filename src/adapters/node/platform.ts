/**
 * What tells one process of one machine from any other: the three facts that a lease names its owner by.
 * Linux was run; the ways of Windows and macOS are written and tested against recorded answers only.
 */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** Questions about machines and processes. */
export interface Platform {
  /** Another value is another machine, or a container whose process numbers mean nothing here. Survives a new host name. */
  hostId(): Promise<string>;
  /** Another value means that the machine was started anew. Empty where it cannot be told. */
  bootId(): Promise<string>;
  /**
   * When a process began, in the system's own words; `undefined` when there is none, or only its remains. Empty when one
   * lives and nobody can tell since when.
   */
  startTime(pid: number): Promise<string | undefined>;
}

/** What the ways of the three systems are built on. Each rejects when there is no answer. */
export interface PlatformIo {
  readText(path: string): Promise<string>;
  readLink(path: string): Promise<string>;
  run(command: string, args: readonly string[]): Promise<string>;
  hostName(): string;
  /** False when no process has this number. */
  processExists(pid: number): boolean;
}

/** The way of a system, by Node's name for it. */
export function platformOf(system: NodeJS.Platform, io: PlatformIo): Platform {
  if (system === "win32") return windows(io);
  return system === "darwin" ? macOs(io) : linux(io);
}

/** This machine. Its answers about itself are asked for once. */
export function thisPlatform(): Platform {
  current ??= remembering(platformOf(process.platform, nodeIo));
  return current;
}

function linux(io: PlatformIo): Platform {
  return {
    hostId: async () => {
      const machine = await firstOf([
        () => io.readText("/etc/machine-id"),
        () => io.readText("/var/lib/dbus/machine-id"),
      ]);
      return identity(machine ?? io.hostName(), await orEmpty(io.readLink("/proc/self/ns/pid")));
    },
    bootId: () => orEmpty(io.readText("/proc/sys/kernel/random/boot_id")),
    startTime: async (pid) => {
      if (!io.processExists(pid)) return undefined;
      const stat = await orEmpty(io.readText(`/proc/${pid}/stat`));
      // The second field is the name in brackets and may hold anything; the third is the state, the 22nd the start.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" || fields[0] === "X" ? undefined : (fields[19] ?? unlessGone(io, pid));
    },
  };
}

function macOs(io: PlatformIo): Platform {
  return {
    hostId: async () => {
      const answer = await orEmpty(io.run("/usr/sbin/ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"]));
      return identity(/"IOPlatformUUID" = "([^"]+)"/.exec(answer)?.[1] ?? io.hostName(), "");
    },
    bootId: () => orEmpty(io.run("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"])),
    startTime: async (pid) => {
      if (!io.processExists(pid)) return undefined;
      const [state = "", ...start] = (
        await orEmpty(io.run("/bin/ps", ["-o", "state=,lstart=", "-p", String(pid)]))
      ).split(/\s+/);
      if (state === "") return unlessGone(io, pid);
      return state.startsWith("Z") ? undefined : start.join(" ");
    },
  };
}

function windows(io: PlatformIo): Platform {
  const key = "HKLM\\SOFTWARE\\Microsoft\\Cryptography";
  return {
    hostId: async () => {
      const answer = await orEmpty(io.run("reg", ["query", key, "/v", "MachineGuid"]));
      return identity(/REG_SZ\s+(\S+)/.exec(answer)?.[1] ?? io.hostName(), "");
    },
    bootId: () => Promise.resolve(""), // the number and the start of a process decide
    startTime: async (pid) => {
      if (!io.processExists(pid)) return undefined;
      const question = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().Ticks`;
      const answer = await orEmpty(io.run("powershell", ["-NoProfile", "-NonInteractive", "-Command", question]));
      return answer === "" ? unlessGone(io, pid) : answer;
    },
  };
}

function unlessGone(io: PlatformIo, pid: number): string | undefined {
  return io.processExists(pid) ? "" : undefined;
}

/** The machine's own number is private to it, so only a hash of it is written down. */
function identity(machine: string, namespace: string): string {
  return createHash("sha256").update(`forge ${machine} ${namespace}`).digest("hex").slice(0, 32);
}

async function orEmpty(answer: Promise<string>): Promise<string> {
  return (await answer.catch(() => "")).trim();
}

async function firstOf(questions: readonly (() => Promise<string>)[]): Promise<string | undefined> {
  for (const question of questions) {
    const answer = await orEmpty(question());
    if (answer !== "") return answer;
  }
  return undefined;
}

const COMMAND_LIMIT_MS = 5_000;
const execute = promisify(execFile);
/** The machine that this process runs on. */
export const nodeIo: PlatformIo = {
  readText: (path) => readFile(path, "utf8"),
  readLink: (path) => readlink(path),
  run: async (command, args) => {
    const environment = { ...process.env, LC_ALL: "C", TZ: "UTC" }; // times in one language and zone: both may change while a process lives
    const options = { timeout: COMMAND_LIMIT_MS, windowsHide: true, env: environment };
    return (await execute(command, [...args], options)).stdout;
  },
  hostName: hostname,
  processExists: (pid) => {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "EPERM"; // somebody else's
    }
  },
};

let current: Platform | undefined;

function remembering(platform: Platform): Platform {
  let host: Promise<string> | undefined;
  let boot: Promise<string> | undefined;
  let own: Promise<string | undefined> | undefined;
  return {
    hostId: () => (host ??= platform.hostId()),
    bootId: () => (boot ??= platform.bootId()),
    startTime: (pid) => (pid === process.pid ? (own ??= platform.startTime(pid)) : platform.startTime(pid)),
  };
}
