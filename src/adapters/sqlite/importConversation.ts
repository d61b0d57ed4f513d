/** Reads an exported conversation into a new file, in a thread of its own: of any size, it holds nobody up. */

import type { Cancelled, StorageFailed, ValidationError } from "../../core/errors.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { ConversationStoreOptions } from "./conversationStore.ts";
import { oneAnswer } from "./thread/oneAnswer.ts";
import type { FromImport } from "./thread/workerProtocol.ts";

/** From where to where. */
export interface ImportRequest extends Pick<ConversationStoreOptions, "folder" | "workerFile" | "sqlJsFile"> {
  /** The exported document. */
  readonly importFile: string;
  /** Where the token ranks lie, to read what other tools wrote as well. */
  readonly ranksFolder?: string;
  readonly cancel: CancelSignal;
}

/**
 * Puts the conversation of `importFile` into `folder`, which is new, in one transaction; answers how many messages it has.
 * After a failure the folder holds nothing that is worth keeping.
 */
export async function importConversation(
  request: ImportRequest,
): Promise<Result<number, ValidationError | StorageFailed | Cancelled>> {
  const { workerFile, cancel, ...start } = request;
  const answer = await oneAnswer<FromImport>(workerFile, start, cancel);
  if (!answer.ok) return answer;
  return answer.value.kind === "imported" ? ok(answer.value.messages) : err(answer.value.error);
}
