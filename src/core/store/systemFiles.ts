/** Differences between systems in what they do with files. The system is passed in, and so is waiting. */

/** Pipes in folders, and folders that can be opened to sync them: everywhere but on Windows. */
export function hasUnixFiles(system: string): boolean {
  return system !== "win32";
}

const TRIES = 10;
const PAUSE_MS = 20; // a virus scanner holds a new file open for some tens of milliseconds
/** Codes of Windows, and of its disks that are mounted elsewhere, for a file that another process has open. */
const IN_USE: readonly unknown[] = ["EPERM", "EACCES", "EBUSY"];

/** Calls `rename` again for a fifth of a second while the file is in use. */
export async function renameWhenFree(
  rename: () => Promise<void>,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename();
      return;
    } catch (error) {
      if (!isWorthAnother(error, attempt)) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** The same in a thread that may be held. */
export function renameWhenFreeSync(rename: () => void, pause: (ms: number) => void): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rename();
      return;
    } catch (error) {
      if (!isWorthAnother(error, attempt)) throw error;
      pause(PAUSE_MS);
    }
  }
}

function isWorthAnother(error: unknown, attempt: number): boolean {
  return attempt < TRIES && error instanceof Error && "code" in error && IN_USE.includes(error.code);
}
