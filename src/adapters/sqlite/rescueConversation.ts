/** Rescues a damaged conversation in a thread of its own. */

import { Worker } from "node:worker_threads";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { ConversationStoreOptions } from "./conversationStore.ts";
import type { RescueReport } from "./rescue/rescueFolder.ts";
import type { FromRescue, WorkerStart } from "./workerProtocol.ts";

/**
 * Puts a new file with everything readable in the place of the damaged one, which is kept beside it. The lease is held and
 * no store is open. Afterwards the conversation opens as any other. When this fails, nothing is lost: it begins anew.
 */
export function rescueConversation(
  options: Pick<ConversationStoreOptions, "folder" | "workerFile" | "sqlJsFile">,
): Promise<Result<RescueReport, StorageFailed>> {
  const { folder, workerFile, sqlJsFile } = options;
  const workerData: WorkerStart = { folder, sqlJsFile, rescue: true };
  const thread = new Worker(workerFile, { workerData });
  const died = (detail: string): Result<never, StorageFailed> =>
    err({ code: "STORAGE_FAILED", reason: "workerDied", detail });
  return new Promise((resolve) => {
    thread.once("message", (answer: FromRescue) => {
      // Its files are closed only when it is gone.
      thread.once("exit", () => {
        resolve(answer.kind === "rescued" ? ok(answer.report) : err(answer.error));
      });
    });
    thread.once("error", (error: unknown) => {
      resolve(died(error instanceof Error ? error.message : String(error)));
    });
    thread.once("exit", (code) => {
      setImmediate(() => {
        resolve(died(`the rescue ended with code ${code}`));
      });
    });
  });
}
