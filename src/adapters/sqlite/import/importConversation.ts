/** Imports exported conversations into new files. Runs in its own thread, so a large import blocks nothing. */

import type { Cancelled, StorageFailed, ValidationError } from "../../../core/errors.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { ConversationStoreOptions } from "../conversationStore.ts";
import { runWorkerOnce } from "../thread/runWorkerOnce.ts";
import type { ImportedConversation } from "./importedFacts.ts";
import type { FromImport } from "../thread/workerProtocol.ts";

export interface ImportRequest extends Pick<ConversationStoreOptions, "folder" | "workerFile" | "sqlJsFile"> {
  readonly importFile: string;
  /** Folder of the token rank files. Without it, only Forge's own documents can be imported. */
  readonly ranksFolder?: string;
  readonly cancel: CancelSignal;
}

/** In the folder of the first conversation of a file: one folder for each of the others, named by its number. */
export const OTHERS_FOLDER = "others";

/**
 * Stores the conversation from `importFile` in the new `folder`, in one transaction, and others of the same file in
 * {@link OTHERS_FOLDER}, each in its own; returns what each has, in the order of the file.
 * After a failure the folder contains nothing worth keeping.
 */
export async function importConversation(
  request: ImportRequest,
): Promise<Result<readonly ImportedConversation[], ValidationError | StorageFailed | Cancelled>> {
  const { workerFile, cancel, ...start } = request;
  const answer = await runWorkerOnce<FromImport>(workerFile, start, cancel);
  if (!answer.ok) return answer;
  return answer.value.kind === "imported" ? ok(answer.value.conversations) : err(answer.value.error);
}
