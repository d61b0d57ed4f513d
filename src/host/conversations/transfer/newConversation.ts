/** Makes a new conversation, which is listed only when all of it is on disk. */

import { rm } from "node:fs/promises";
import path from "node:path";
import { IMPORTING_SUFFIX } from "../../../adapters/node/crashCleanup.ts";
import { fileFailure, nodeFiles } from "../../../adapters/node/files.ts";
import { acquireLease } from "../../../adapters/node/lease.ts";
import { moveLeasedFolder } from "../../../adapters/node/moveLeasedFolder.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { ConversationId } from "../../../core/ids.ts";
import { err, type Result } from "../../../core/result.ts";

/** `fill` stores it in the folder given. Resolves like `fill`; on failure no conversation exists under `root`. */
export async function newConversation<T>(
  root: string,
  id: ConversationId,
  fill: (folder: string) => Promise<Result<T, ForgeError>>,
): Promise<Result<T, ForgeError>> {
  const folder = path.join(root, id);
  const temporaryFolder = folder + IMPORTING_SUFFIX;
  try {
    await nodeFiles.makeFolder(temporaryFolder);
    // The lease keeps the cleanup of other windows away from the folder.
    const lease = await acquireLease(temporaryFolder);
    if (!lease.ok) return lease;
    const filled = await fill(temporaryFolder);
    if (filled.ok) await moveLeasedFolder(lease.value, folder, nodeFiles);
    return filled;
  } catch (error) {
    return err(fileFailure(error));
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}
