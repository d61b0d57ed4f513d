/** A folder for what the tests of one run write for a moment, and for what Node compiled of their code. */

import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";

/** Linux keeps in memory what is written here. */
const memoryFolder = "/dev/shm";

/** Twenty times what a run was seen to keep there at any one time. */
const neededBytes = 512 * 1024 ** 2;

/**
 * Makes the folder and has this process, and all that it starts, use it; it is removed when this process ends. Where there
 * is room it lies in memory: tests make and remove thousands of files, none of which has to outlive a power cut, and on some
 * disks each removal takes five milliseconds. Compiled code is shared by the hundreds of processes that a run starts.
 */
export function useRunFolder(): void {
  const folder = mkdtempSync(path.join(hasRoom() ? memoryFolder : tmpdir(), "forge-run-"));
  process.once("exit", () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
    } catch {
      // a process that is just ending still writes there; that is no reason for a run to fail
    }
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal])); // else nothing would be removed
  }
  process.env["TMPDIR"] = folder;
  process.env["NODE_COMPILE_CACHE"] = path.join(folder, "compiled");
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return Math.min(bavail * bsize, process.availableMemory() / 4) >= neededBytes;
  } catch {
    return false; // no such folder here
  }
}
