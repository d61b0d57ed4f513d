/** The end of a command and of all that it has started, by system. Pure. */

import type { ProgramCall } from "./shells.ts";

/** True where a child can lead a process group, which is ended as a whole. */
export function hasGroups(system: NodeJS.Platform): boolean {
  return system !== "win32";
}

export interface Ending {
  /** Ends the processes by itself. */
  readonly call: ProgramCall | undefined;
  /** Ids for `process.kill`: negative ones, each a group. */
  readonly signalled: readonly number[];
}

/** Ends the `groups` of a command in a terminal, and that of the child `pid`, if they are not known, or must end. */
export function endingOf(
  pid: number,
  groups: readonly number[],
  signal: NodeJS.Signals,
  system: NodeJS.Platform,
): Ending {
  if (!hasGroups(system)) {
    return { call: { file: "taskkill", args: ["/pid", String(pid), "/T", "/F"] }, signalled: [] };
  }
  const own = groups.length === 0 || signal === "SIGKILL" ? [pid] : [];
  return { call: undefined, signalled: [...groups, ...own].map((group) => -group) };
}
