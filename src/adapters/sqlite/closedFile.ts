/**
 * A conversation that no window has open, as its replica sees it. Its file is opened when first needed, under a lease
 * that is held for moments, and is closed by `release`, so that whoever wants the conversation never waits for a network.
 */

import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { erasurePlaceholder, makeErasure, type ErasedMessage } from "../../core/history/erasure.ts";
import type { StoredRecord } from "../../core/history/fullHistory.ts";
import type { ConversationRecord, IndexRecord } from "../../core/history/records.ts";
import type { ConversationId, MessageId } from "../../core/ids.ts";
import type { Message, StoredMessage, TokenCounts } from "../../core/message.ts";
import type { ReplicatedConversation, ReplicatedFileFailed } from "../../core/replica/conversationReplica.ts";
import type { PublishedRecord } from "../../core/replica/wireRecord.ts";
import { err, invariant, ok, type Result } from "../../core/result.ts";
import { isUnsentRow } from "../../core/store/journalRow.ts";
import type { ConversationFile } from "./conversationFile.ts";
import { DATABASE_FILE } from "./databaseFile.ts";
import type { SqlJsShim } from "./engine/sqlJsShim.ts";
import { openStorageIn } from "./openStorage.ts";
import { DatabasePages } from "./pages/databasePages.ts";
import { publishedRows } from "./pages/publishedRows.ts";
import { parseIndexPage, parseMessages } from "./rowCodec.ts";
import { newerVersion } from "./schema.ts";
import { storageFailureOf } from "./storageErrors.ts";
import type { FromWorker, ToWorker } from "./thread/workerProtocol.ts";

/** The right to write the folder's files. */
export interface HeldFolder {
  /** Writing stops when this file disappears. */
  readonly leaseFile: string;
  release(): Promise<unknown>;
}

export interface ClosedFileOptions {
  readonly id: ConversationId;
  readonly folder: string;
  readonly shim: SqlJsShim;
  /** Takes the lease of the folder, which exists. */
  readonly hold: () => Promise<Result<HeldFolder, ReplicatedFileFailed>>;
  /** Makes the folder of a conversation that is new here. */
  readonly create: () => Promise<Result<unknown, StorageFailed>>;
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
  readonly nowMs: () => number;
  /** Long enough for whoever waits for the folder to take it. */
  readonly pause: () => Promise<void>;
}

/** Records that are read at once. */
const PAGE = 256;
/** Of the messages of a page, or one message more. */
const PAGE_BYTES = 4_000_000;

/** Pages and commits for which a file is held: well under a second. */
const MOST_USES = 100;

interface OpenFile {
  readonly file: ConversationFile;
  readonly held: HeldFolder;
  /** As of the last write. */
  pages?: DatabasePages | undefined;
  recordCount: number;
  uses: number;
}

export class ClosedFile implements ReplicatedConversation {
  readonly id: ConversationId;
  readonly #options: ClosedFileOptions;
  #open: OpenFile | undefined;
  #requests = 0;

  constructor(options: ClosedFileOptions) {
    this.id = options.id;
    this.#options = options;
  }

  async mayHaveSegments(): Promise<Result<boolean, ReplicatedFileFailed>> {
    if (!this.#exists) return ok(false);
    const opened = await this.#opened();
    return opened.ok ? ok(opened.value.file.mayHaveSegments) : opened;
  }

  async readIndex(from: number): Promise<Result<readonly StoredRecord[], ReplicatedFileFailed>> {
    if (!this.#exists) return ok([]);
    const opened = await this.#opened();
    return opened.ok ? this.#page(opened.value, from) : opened;
  }

  async read(from: number): Promise<Result<readonly PublishedRecord[], ReplicatedFileFailed>> {
    if (!this.#exists) return ok([]);
    const opened = await this.#opened();
    if (!opened.ok) return opened;
    try {
      return this.#published(opened.value, from);
    } catch (error) {
      return err(storageFailureOf(error));
    }
  }

  async commit(
    records: readonly ConversationRecord[],
    at?: number,
  ): Promise<Result<"stored" | "changed", ReplicatedFileFailed>> {
    if (!this.#exists) {
      const created = await this.#options.create();
      if (!created.ok) return created;
    }
    const opened = await this.#opened();
    if (!opened.ok) return opened;
    const open = opened.value;
    if (at !== undefined && at !== open.recordCount) return ok("changed");
    const isUndecided = open.file.shape.journal.some((row) => !isUnsentRow(row));
    // What was interrupted continues the last message, so nothing may come between until its person has decided.
    if (isUndecided && records.some(({ kind }) => kind !== "segment")) return err({ code: "CONVERSATION_BUSY" });
    const writes = records.map((record) => ({ kind: "record", record }) as const);
    const answer = this.#write(open, (id) => ({ kind: "commit", id, writes }));
    if (answer.kind === "failed") return err(answer.error);
    open.recordCount += records.length;
    return ok("stored");
  }

  async erase(ids: readonly MessageId[]): Promise<Result<void, ReplicatedFileFailed>> {
    const opened = await this.#opened();
    if (!opened.ok) return opened;
    const messages = this.#messages(opened.value, ids);
    if (!messages.ok) return messages;
    const erased: ErasedMessage[] = [];
    for (const { entry, message } of messages.value) {
      const left = erasurePlaceholder(message);
      erased.push({ entry, message: left, tokens: await this.#options.countTokens(left) });
    }
    const open = await this.#opened(); // it may have been released meanwhile
    if (!open.ok) return open;
    const { draft } = open.value.file.shape;
    const erasure = makeErasure(erased, { atMs: this.#options.nowMs(), draft });
    const answer = this.#write(open.value, (id) => ({ kind: "erase", id, erasure }));
    if (answer.kind === "failed") return err(answer.error);
    open.value.recordCount++;
    return ok(undefined);
  }

  /** Closes the file; what is called next opens it again. `last` is done before anybody else may hold its folder. */
  async release(last: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#write(open, (id) => ({ kind: "close", id }));
    try {
      await last();
    } finally {
      await open.held.release();
    }
  }

  get #exists(): boolean {
    const { folder, shim } = this.#options;
    return this.#open !== undefined || shim.files.calls.find(join(folder, DATABASE_FILE)) !== undefined;
  }

  async #opened(): Promise<Result<OpenFile, ReplicatedFileFailed>> {
    const { folder, shim, hold, pause } = this.#options;
    if (this.#open !== undefined && this.#open.uses++ < MOST_USES) return ok(this.#open);
    if (this.#open !== undefined) {
      await this.release();
      await pause();
    }
    const held = await hold();
    if (!held.ok) return held;
    const file = openStorageIn({ folder, leaseFile: held.value.leaseFile }, shim);
    if (!file.ok) {
      await held.value.release();
      return file;
    }
    shim.files.readAhead(join(folder, DATABASE_FILE)); // until it is closed
    this.#open = { file: file.value, held: held.value, recordCount: file.value.shape.recordCount, uses: 0 };
    return ok(this.#open);
  }

  #page(open: OpenFile, from: number): Result<readonly IndexRecord[], StorageFailed> {
    if (from >= open.recordCount) return ok([]);
    const answer = this.#request(open, (id) => ({ kind: "readIndex", id, from, limit: PAGE }));
    return parsed(answer, parseIndexPage);
  }

  #messages(open: OpenFile, ids: readonly MessageId[]): Result<readonly StoredMessage[], StorageFailed> {
    if (ids.length === 0) return ok([]);
    return parsed(
      this.#request(open, (id) => ({ kind: "readMessages", id, ids })),
      parseMessages,
    );
  }

  /** Refuses the file of a newer Forge, whose records are not known here. */
  #published(open: OpenFile, from: number): Result<readonly PublishedRecord[], StorageFailed> {
    const { folder, shim } = this.#options;
    const count = Math.min(PAGE, Math.max(0, open.recordCount - from));
    open.pages ??= new DatabasePages(shim.files.calls, join(folder, DATABASE_FILE));
    const { committed, schemaVersion } = open.pages;
    if (open.file.shape.readOnly !== undefined) return err(newerVersion(schemaVersion));
    return ok(publishedRows(committed, { from, count, mostBytes: PAGE_BYTES }));
  }

  #write(open: OpenFile, make: (id: number) => ToWorker): FromWorker {
    closePages(open);
    return this.#request(open, make);
  }

  /** Runs it to its end: nobody else uses the file. */
  #request({ file }: OpenFile, make: (id: number) => ToWorker): FromWorker {
    const request = make(++this.#requests);
    file.enqueue(request);
    const answers = [...file.flush()];
    const isAnswer = (answer: FromWorker): boolean =>
      ("id" in answer && answer.id === request.id) || ("ids" in answer && answer.ids.includes(request.id));
    for (;;) {
      const answer = answers.find(isAnswer);
      if (answer !== undefined) return answer;
      invariant(file.isBusy, "every request is answered");
      answers.push(...file.runSlice());
    }
  }
}

function parsed<T>(answer: FromWorker, parse: (json: string) => T): Result<T, StorageFailed> {
  if (answer.kind === "failed") return err(answer.error);
  invariant(answer.kind === "rows", "reading gives rows");
  try {
    return ok(parse(answer.json));
  } catch (error) {
    return err(storageFailureOf(error));
  }
}

function closePages(open: OpenFile): void {
  open.pages?.close();
  open.pages = undefined;
}
