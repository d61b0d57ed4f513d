import { basename, dirname, join } from "node:path";
import { replaceFile, type Files } from "./files.ts";
import type { Lease } from "./lease.ts";
import { RELEASED_TEXT } from "./leaseFile.ts";

/**
 * Atomically renames the folder of `lease` to `path`, whose parent must exist, and releases the lease there. Rejects
 * with the file error; if the folder has not moved then, the caller must still release the lease.
 */
export async function moveLeasedFolder(lease: Lease, path: string, files: Files): Promise<void> {
  await files.rename(lease.folder, path);
  // Before the sync, whose failure must not leave the lease held; neither must a failed write.
  try {
    await replaceFile(files, join(path, basename(lease.file)), RELEASED_TEXT);
  } catch (error) {
    await lease.release();
    throw error;
  }
  for (const folder of new Set([dirname(path), dirname(lease.folder)])) await files.syncFolder(folder);
}
