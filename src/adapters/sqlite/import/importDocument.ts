/** Worker side of an import: turns an untrusted document into the records of a new database, one after the other. */

import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { validationError, type StorageFailed, type ValidationError } from "../../../core/errors.ts";
import { recountedRecord, withoutThinking, type Counting } from "../../../core/context/recountedRecords.ts";
import { documentConversations } from "../../../core/documents/documentRecords.ts";
import type { DocumentText } from "../../../core/documents/documentText.ts";
import { ChangedWhileRead } from "../../../core/documents/foreign/longRecords.ts";
import { loadConversation, type Recount, type RecordStream } from "../../../core/documents/loadConversation.ts";
import type { ConversationRecord } from "../../../core/history/records.ts";
import { err, invariant, ok, type Result } from "../../../core/result.ts";
import { buildTokenCounter } from "../../../core/tokens/buildTokenCounter.ts";
import type { TokenCounter } from "../../../core/tokens/tokenCounter.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { loadSqlJs } from "../engine/sqlJsShim.ts";
import { Refused, storageFailureOf } from "../storageErrors.ts";
import type { WorkerStart } from "../thread/workerProtocol.ts";
import { ConversationBuilder } from "./conversationBuilder.ts";
import { openDocument } from "./documentFile.ts";
import { gatheredState } from "./gatheredFiles.ts";
import { withFacts, type ImportedConversation } from "./importedFacts.ts";
import { OTHERS_FOLDER } from "./importConversation.ts";
import { LONGEST_TEXT, TooLongText } from "./fileBytes.ts";
import { TextFile } from "./textFile.ts";
import { unpackedFile } from "./unpackedFile.ts";

const TEXT_FILE = "tmp.import-texts";
const UNPACKED_FILE = "tmp.import-unpacked";
const UTF8_FILE = "tmp.import-document";

/**
 * Stores the conversation of `importFile` in `start.folder`, in one transaction. Others in the same file get folders of
 * their own, in {@link OTHERS_FOLDER}; returns what each has, in the order of the file. The document may be larger than the memory: what
 * is in it is read when its turn comes.
 */
export async function importDocument(
  importFile: string,
  start: WorkerStart,
  calls: FileCalls,
): Promise<Result<readonly ImportedConversation[], ValidationError | StorageFailed>> {
  const conversations: ImportedConversation[] = [];
  try {
    const shim = await loadSqlJs(start.sqlJsFile, calls);
    const unpacked = await unpackedFile(importFile, join(start.folder, UNPACKED_FILE));
    if (!unpacked.ok) return unpacked;
    const builder = new ConversationBuilder(shim);
    const fileBytes = gatheredState(importFile)?.bytes ?? statSync(importFile).size;
    const source = new ImportSource(unpacked.value, { ...start, fileBytes }, calls);
    try {
      for (let number = 0; number === 0 || !source.isDone; number++) {
        const folder = number === 0 ? start.folder : newFolder(start.folder, number);
        const records = withFacts(source.records(), (facts) => {
          conversations.push(facts);
        });
        builder.build(folder, records);
      }
      builder.sync();
    } finally {
      source.close();
    }
  } catch (error) {
    return err(importFault(error));
  } finally {
    rmSync(join(start.folder, UNPACKED_FILE), { force: true });
  }
  return ok(conversations);
}

function newFolder(first: string, number: number): string {
  const folder = join(first, OTHERS_FOLDER, String(number));
  mkdirSync(folder, { recursive: true });
  return folder;
}

class FaultyDocument extends Error {
  readonly fault: ValidationError;

  constructor(fault: ValidationError) {
    super(fault.field);
    this.fault = fault;
  }
}

/** Rethrows what is a bug. */
function importFault(error: unknown): ValidationError | StorageFailed {
  if (error instanceof FaultyDocument) return error.fault;
  if (error instanceof ChangedWhileRead)
    return validationError("document", "a file that was changed while it was read", "a JSON document");
  if (error instanceof TooLongText)
    return validationError("document", `a text of ${error.bytes} bytes`, `at most ${LONGEST_TEXT} bytes`);
  return storageFailureOf(error);
}

/** Conversations of a file, one after the other. */
class ImportSource {
  readonly #streams: Generator<RecordStream>;
  #next: IteratorResult<RecordStream> | undefined;

  constructor(importFile: string, start: SourceStart, calls: FileCalls) {
    this.#streams = streamsIn(importFile, start, calls);
  }

  get isDone(): boolean {
    return this.#next?.done === true;
  }

  /** Of the next conversation. The temporary files are gone before the records of the last one end. */
  *records(): Iterable<ConversationRecord> {
    this.#next ??= this.#streams.next();
    if (this.#next.done === true) return;
    const read = yield* this.#next.value;
    if (!read.ok) throw new FaultyDocument(read.error);
    this.#next = this.#streams.next();
  }

  /** Removes the temporary files, whatever happened. */
  close(): void {
    this.#streams.return(undefined);
  }
}

interface SourceStart extends WorkerStart {
  /** Of the files as they are given: packed, or one of many. */
  readonly fileBytes: number;
}

function* streamsIn(importFile: string, start: SourceStart, calls: FileCalls): Generator<RecordStream> {
  const texts = new TextFile(join(start.folder, TEXT_FILE), calls);
  const document = openDocument(importFile, join(start.folder, UTF8_FILE), calls);
  try {
    yield* streamsOf(document, texts, start);
  } finally {
    document.close();
    texts.remove();
  }
}

/** Forge's own format or another tool's export. Both are counted here, unless there are no ranks to count with. */
function streamsOf(
  document: DocumentText,
  texts: TextFile,
  { ranksFolder, fileBytes }: SourceStart,
): Iterable<RecordStream> {
  if (ranksFolder === undefined) return [loadConversation(document)];
  let counter: TokenCounter | undefined;
  const recount = (counting: Pick<Counting, "asSent">): Recount => {
    const countTokens: Counting["countTokens"] = (message) =>
      (counter ??= counterFrom(ranksFolder)).countMessage(message);
    return (record, history) => recountedRecord(record, history, { ...counting, countTokens });
  };
  return documentConversations(document, {
    texts,
    nowMs: Date.now(),
    fileBytes,
    recountOwn: recount({}),
    // What another tool's model thought is never sent.
    recountForeign: recount({ asSent: withoutThinking }),
  });
}

/** Throws what keeps the ranks from being read. */
function counterFrom(folder: string): TokenCounter {
  const [cl100k, o200k] = ["cl100k_base.bin", "o200k_base.bin"].map((name) => readFileSync(join(folder, name)));
  invariant(cl100k !== undefined && o200k !== undefined, "two files are read");
  const steps = buildTokenCounter({ cl100k, o200k });
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    if (step.value.ok) return step.value.value;
    throw new Refused(step.value.error);
  }
}
