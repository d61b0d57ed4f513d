/** Rescues a damaged conversation in a thread of its own. */

import type { StorageFailed } from "../../core/errors.ts";
import { err, invariant, ok, type Result } from "../../core/result.ts";
import type { ConversationStoreOptions } from "./conversationStore.ts";
import { oneAnswer } from "./thread/oneAnswer.ts";
import type { RescueReport } from "./rescue/rescueFolder.ts";
import type { FromRescue } from "./thread/workerProtocol.ts";

/**
 * Puts a new file with everything readable in the place of the damaged one, which is kept beside it. The lease is held and
 * no store is open. Afterwards the conversation opens as any other. When this fails, nothing is lost: it begins anew.
 */
export async function rescueConversation(
  options: Pick<ConversationStoreOptions, "folder" | "workerFile" | "sqlJsFile">,
): Promise<Result<RescueReport, StorageFailed>> {
  const { folder, workerFile, sqlJsFile } = options;
  const answer = await oneAnswer<FromRescue>(workerFile, { folder, sqlJsFile, rescue: true });
  if (answer.ok) return answer.value.kind === "rescued" ? ok(answer.value.report) : err(answer.value.error);
  invariant(answer.error.code === "STORAGE_FAILED", "nobody cancels a rescue");
  return err(answer.error);
}
