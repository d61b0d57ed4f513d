/** Which conversation a window had open last, by what is open in the window. A convenience: it may be lost. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { codeOf, fileFailure, nodeFiles, replaceFile, type Files } from "./files.ts";

const FOLDER = "last";

/** The conversation that was open last in `workspace`; `undefined` when none is known. */
export async function readLastConversation(
  storage: string,
  workspace: string,
  files: Files = nodeFiles,
): Promise<ConversationId | undefined> {
  try {
    return parseConversationId((await files.readText(fileFor(storage, workspace))).trim());
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Remembers the conversation that is open now in `workspace`. */
export async function writeLastConversation(
  storage: string,
  workspace: string,
  id: ConversationId,
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  try {
    await files.makeFolder(join(storage, FOLDER));
    await replaceFile(files, fileFor(storage, workspace), `${id}\n`);
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

/** A workspace's name may be any path, so the file is named by its hash. */
function fileFor(storage: string, workspace: string): string {
  return join(storage, FOLDER, createHash("sha256").update(workspace).digest("hex").slice(0, 32));
}
