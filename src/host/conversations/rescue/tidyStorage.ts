import path from "node:path";
import { cleanUpAfterCrash } from "../../../adapters/node/crashCleanup.ts";
import type { TrashPlaces } from "../../../adapters/node/trash.ts";
import { openConversationStore } from "../../../adapters/sqlite/conversationStore.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import { ok, type Result } from "../../../core/result.ts";

/**
 * Cleans up after crashes, in the background at the start of a window. Resolves to the failures, for the log; the next
 * start retries. `dist` is the folder of the shipped files.
 */
export function tidyStorage(places: TrashPlaces, dist: string, nowMs: number): Promise<readonly StorageFailed[]> {
  return cleanUpAfterCrash(places, { nowMs, holdsMessages: (folder) => holdsMessages(folder, dist) });
}

async function holdsMessages(folder: string, dist: string): Promise<Result<boolean, StorageFailed>> {
  const opened = await openConversationStore({
    folder,
    workerFile: path.join(dist, "storageWorker.cjs"),
    sqlJsFile: path.join(dist, "sql-wasm-debug.js"),
  });
  if (!opened.ok) return opened;
  const holds = opened.value.shape.messageCount > 0;
  const closed = await opened.value.close();
  return closed.ok ? ok(holds) : closed;
}
