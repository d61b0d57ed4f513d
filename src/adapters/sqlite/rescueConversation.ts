import type { StorageFailed } from "../../core/errors.ts";
import { err, invariant, ok, type Result } from "../../core/result.ts";
import type { ConversationStoreOptions } from "./conversationStore.ts";
import { runWorkerOnce } from "./thread/runWorkerOnce.ts";
import type { RescueReport } from "./rescue/rescueFolder.ts";
import type { FromRescue } from "./thread/workerProtocol.ts";

/**
 * Replaces a damaged database with one that contains everything readable, in its own thread; the damaged file is
 * preserved next to it. The lease must be held and no store open. A failure loses nothing: the rescue can be repeated.
 */
export async function rescueConversation(
  options: Pick<ConversationStoreOptions, "folder" | "workerFile" | "sqlJsFile">,
): Promise<Result<RescueReport, StorageFailed>> {
  const { folder, workerFile, sqlJsFile } = options;
  const answer = await runWorkerOnce<FromRescue>(workerFile, { folder, sqlJsFile, rescue: true });
  if (answer.ok) return answer.value.kind === "rescued" ? ok(answer.value.report) : err(answer.value.error);
  invariant(answer.error.code === "STORAGE_FAILED", "nobody cancels a rescue");
  return err(answer.error);
}
