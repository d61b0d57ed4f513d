/** Gives a conversation's folder another name while its lease is held: one rename, whole or not at all. */

import { basename, dirname, join } from "node:path";
import { replaceFile, type Files } from "./files.ts";
import type { Lease } from "./lease.ts";
import { RELEASED_TEXT } from "./leaseFile.ts";

/**
 * Moves the folder of `lease` to `path`, whose parent is there. The lease moves with it and is given back there. Rejects as
 * the calls do; where the folder is still in its old place then, the lease is still to be released.
 */
export async function moveLeasedFolder(lease: Lease, path: string, files: Files): Promise<void> {
  await files.rename(lease.folder, path);
  // First: a sync that fails must not leave it held. Nor must a file that cannot say so.
  try {
    await replaceFile(files, join(path, basename(lease.file)), RELEASED_TEXT);
  } catch (error) {
    await lease.release();
    throw error;
  }
  for (const folder of new Set([dirname(path), dirname(lease.folder)])) await files.syncFolder(folder);
}
