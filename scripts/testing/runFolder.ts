/** The temporary folder of a test run, which also holds Node's compile cache. */

import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";

/** In-memory file system of Linux. */
const memoryFolder = "/dev/shm";

/** Twenty times the observed peak of a run. */
const neededBytes = 512 * 1024 ** 2;

/**
 * Creates the folder for this process and its children, and removes it when this process ends. It is in memory if there
 * is room: tests create and remove thousands of files, and on some disks each removal takes 5 ms. The compile cache is
 * shared by the hundreds of processes of a run.
 */
export function useRunFolder(): void {
  const folder = mkdtempSync(path.join(hasRoom() ? memoryFolder : tmpdir(), "forge-run-"));
  process.once("exit", () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
    } catch {
      // an ending process may still write there, which must not fail the run
    }
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal])); // or the folder would not be removed
  }
  process.env["TMPDIR"] = folder;
  process.env["NODE_COMPILE_CACHE"] = path.join(folder, "compiled");
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return Math.min(bavail * bsize, process.availableMemory() / 4) >= neededBytes;
  } catch {
    return false; // no such folder
  }
}
