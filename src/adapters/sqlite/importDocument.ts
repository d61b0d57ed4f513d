/** The worker's side of an import: a document that anybody may have written becomes the records of a new file. */

import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { storageFailed, validationError, type StorageFailed, type ValidationError } from "../../core/errors.ts";
import { loadConversation } from "../../core/history/loadConversation.ts";
import { err, invariant, ok, type Result } from "../../core/result.ts";
import { openStorage } from "./openStorage.ts";
import type { FileCalls } from "./shim/fileCalls.ts";
import { systemCodeOf } from "./shim/errno.ts";
import type { WorkerStart } from "./workerProtocol.ts";

/** Stores what `importFile` holds in `start.folder`, all or nothing; answers the number of messages. */
export async function importDocument(
  importFile: string,
  start: WorkerStart,
  calls: FileCalls,
): Promise<Result<number, ValidationError | StorageFailed>> {
  const json = await readDocument(importFile);
  if (!json.ok) return json;
  const records = loadConversation(json.value);
  if (!records.ok) return records;
  const opened = await openStorage(start, calls);
  if (!opened.ok) return opened;
  opened.value.enqueue({ kind: "commit", id: 0, writes: records.value.map((record) => ({ kind: "record", record })) });
  opened.value.enqueue({ kind: "close", id: 1 });
  for (const answer of opened.value.flush()) {
    invariant(answer.kind !== "bug", "the records of a document follow each other");
    if (answer.kind === "failed") return err(answer.error);
  }
  return ok(records.value.filter(({ kind }) => kind === "message").length);
}

async function readDocument(file: string): Promise<Result<string, ValidationError | StorageFailed>> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > constants.MAX_STRING_LENGTH) return err(tooLarge(bytes.length));
    return ok(bytes.toString("utf8"));
  } catch (error) {
    const systemCode = systemCodeOf(error);
    if (systemCode === undefined || !(error instanceof Error)) throw error;
    return err(systemCode === "ERR_FS_FILE_TOO_LARGE" ? tooLarge(Infinity) : storageFailed(systemCode, error.message));
  }
}

function tooLarge(bytes: number): ValidationError {
  return validationError("document", `${bytes} bytes`, `at most ${constants.MAX_STRING_LENGTH} bytes`);
}
