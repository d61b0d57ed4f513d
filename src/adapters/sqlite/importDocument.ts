/** Worker side of an import: turns an untrusted document into the records of a new database. */

import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { storageFailed, validationError, type StorageFailed, type ValidationError } from "../../core/errors.ts";
import { foreignRecords, readForeign } from "../../core/documents/foreign/foreignRecords.ts";
import { recountedRecords, withoutThinking } from "../../core/context/recountedRecords.ts";
import { loadConversation } from "../../core/documents/loadConversation.ts";
import type { ConversationRecord } from "../../core/history/records.ts";
import type { Message, TokenCounts } from "../../core/message.ts";
import { err, invariant, ok, type Result } from "../../core/result.ts";
import { buildTokenCounter } from "../../core/tokens/buildTokenCounter.ts";
import type { TokenCounter } from "../../core/tokens/tokenCounter.ts";
import { openStorage } from "./openStorage.ts";
import type { FileCalls } from "./engine/shim/fileCalls.ts";
import { systemCodeOf } from "./engine/shim/errno.ts";
import type { WorkerStart } from "./thread/workerProtocol.ts";

/** Stores the conversation of `importFile` in `start.folder`, all or nothing; returns the number of messages. */
export async function importDocument(
  importFile: string,
  start: WorkerStart,
  calls: FileCalls,
): Promise<Result<number, ValidationError | StorageFailed>> {
  const json = await readDocument(importFile);
  if (!json.ok) return json;
  const records = await recordsOf(json.value, start);
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

/** Reads Forge's own format or another tool's export. Both are counted here, unless there are no ranks to count with. */
async function recordsOf(
  text: string,
  { ranksFolder }: WorkerStart,
): Promise<Result<readonly ConversationRecord[], ValidationError | StorageFailed>> {
  if (ranksFolder === undefined) return loadConversation(text);
  const foreign = readForeign(text);
  if (foreign?.ok === false) return foreign;
  const records =
    foreign === undefined ? loadConversation(text) : ok(foreignRecords(foreign.value, () => UNCOUNTED, Date.now()));
  if (!records.ok) return records;
  const counter = await counterFrom(ranksFolder);
  if (!counter.ok) return counter;
  const countTokens = (message: Message): TokenCounts => counter.value.countMessage(message);
  // What another tool's model thought is never sent.
  return ok(recountedRecords(records.value, countTokens, foreign === undefined ? undefined : withoutThinking));
}

/** Replaced when the records are counted. */
const UNCOUNTED: TokenCounts = { cl100k: 0, o200k: 0 };

async function counterFrom(folder: string): Promise<Result<TokenCounter, StorageFailed>> {
  try {
    const read = (name: string): Promise<Uint8Array> => readFile(join(folder, name));
    const [cl100k, o200k] = await Promise.all([read("cl100k_base.bin"), read("o200k_base.bin")]);
    const steps = buildTokenCounter({ cl100k, o200k });
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  } catch (error) {
    const systemCode = systemCodeOf(error);
    if (systemCode === undefined || !(error instanceof Error)) throw error;
    return err(storageFailed(systemCode, error.message));
  }
}

async function readDocument(file: string): Promise<Result<string, ValidationError | StorageFailed>> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > constants.MAX_STRING_LENGTH) return err(tooLarge(bytes.length));
    return ok(new TextDecoder(encodingOf(bytes)).decode(bytes));
  } catch (error) {
    const systemCode = systemCodeOf(error);
    if (systemCode === undefined || !(error instanceof Error)) throw error;
    return err(systemCode === "ERR_FS_FILE_TOO_LARGE" ? tooLarge(Infinity) : storageFailed(systemCode, error.message));
  }
}

/** By the byte order mark, as editors on Windows write it; UTF-8 without one. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function tooLarge(bytes: number): ValidationError {
  return validationError("document", `${bytes} bytes`, `at most ${constants.MAX_STRING_LENGTH} bytes`);
}
