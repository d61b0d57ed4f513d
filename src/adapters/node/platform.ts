/**
 * Host id, boot id and process start time, by which a lease identifies its owner.
 * Linux is tested for real, Windows and macOS only against recorded command output.
 */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

export interface Platform {
  /** Identifies the machine and process id namespace (containers differ). Independent of the host name if possible. */
  hostId(): Promise<string>;
  /** Changes at reboot; empty if unknown. */
  bootId(): Promise<string>;
  /**
   * Start time in the system's own format; `undefined` if the process does not exist or is a zombie; empty if it exists
   * but its start time is unknown.
   */
  startTime(pid: number): Promise<string | undefined>;
}

/** Promises reject if the source is not available. */
export interface PlatformIo {
  readText(path: string): Promise<string>;
  readLink(path: string): Promise<string>;
  run(command: string, args: readonly string[]): Promise<string>;
  hostName(): string;
  processExists(pid: number): boolean;
}

export function platformOf(system: NodeJS.Platform, io: PlatformIo): Platform {
  if (system === "win32") return windows(io);
  return system === "darwin" ? macOs(io) : linux(io);
}

/** Values that cannot change while this process runs are cached. */
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
      // Field 2 is the name in parentheses, with any characters; field 3 is the state, field 22 the start time.
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
    bootId: () => Promise.resolve(""), // process id and start time suffice
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

/** Hashed, because the machine id is private. */
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
export const nodeIo: PlatformIo = {
  readText: (path) => readFile(path, "utf8"),
  readLink: (path) => readlink(path),
  run: async (command, args) => {
    const environment = { ...process.env, LC_ALL: "C", TZ: "UTC" }; // both may change while a process runs
    const options = { timeout: COMMAND_LIMIT_MS, windowsHide: true, env: environment };
    return (await execute(command, [...args], options)).stdout;
  },
  hostName: hostname,
  processExists: (pid) => {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "EPERM"; // another user's process
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
