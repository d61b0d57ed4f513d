/** The open conversation as a replica sees it: what another machine wrote waits while something runs here. */

import type { StorageFailed } from "../../core/errors.ts";
import type { StoredRecord } from "../../core/history/fullHistory.ts";
import type { ConversationRecord } from "../../core/history/records.ts";
import type { ConversationId, MessageId } from "../../core/ids.ts";
import {
  charactersOf,
  type ConversationBusy,
  type ReplicatedConversation,
  type ReplicatedFileFailed,
} from "../../core/replica/conversationReplica.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import type { SessionErasing } from "./sessionErasing.ts";
import type { SessionRun } from "./sessionRun.ts";
import type { PendingRecovery } from "./turn/pendingRecovery.ts";

/** Some milliseconds of the storage's thread. */
const PAGE_RECORDS = 256;
/** Of the messages of a page, or one message more. */
const PAGE_CHARACTERS = 1_000_000;

export class SessionReplica implements ReplicatedConversation {
  readonly #opened: OpenConversation;
  readonly #recovery: PendingRecovery;
  readonly #erasing: SessionErasing;
  readonly #run: SessionRun;

  constructor(opened: OpenConversation, recovery: PendingRecovery, erasing: SessionErasing, run: SessionRun) {
    this.#opened = opened;
    this.#recovery = recovery;
    this.#erasing = erasing;
    this.#run = run;
  }

  get id(): ConversationId {
    return this.#opened.id;
  }

  mayHaveSegments(): Promise<Result<boolean, never>> {
    return Promise.resolve(ok(true));
  }

  readIndex(from: number): Promise<Result<readonly StoredRecord[], StorageFailed>> {
    return this.#opened.store.readIndex(from, PAGE_RECORDS);
  }

  async read(from: number): Promise<Result<readonly ConversationRecord[], StorageFailed>> {
    const { store } = this.#opened;
    const index = await store.readIndex(from, PAGE_RECORDS);
    if (!index.ok) return index;
    const records: ConversationRecord[] = [];
    let characters = 0;
    for (const record of index.value) {
      if (record.kind !== "entry") {
        records.push(record);
        continue;
      }
      if (characters >= PAGE_CHARACTERS) break;
      const read = await store.readMessages([record.entry.id]); // one by one: each may be a tool's whole output
      if (!read.ok) return read;
      for (const stored of read.value) {
        records.push({ kind: "message", ...stored });
        characters += charactersOf(stored.message);
      }
    }
    return ok(records);
  }

  async commit(
    records: readonly ConversationRecord[],
    at?: number,
  ): Promise<Result<"stored" | "changed", ReplicatedFileFailed>> {
    const { conversation } = this.#opened;
    if (this.#run.isClosing || this.#run.isReadOnly) return err(BUSY);
    // That own records were published changes nothing else.
    if (records.every(isOfOwnSegment)) return conversation.changeAt(records, at);
    if (this.#isUndecided) return err(BUSY);
    let outcome: Result<"stored" | "changed", ReplicatedFileFailed> = err(BUSY);
    await this.#run.runIfIdle("applying", async () => {
      outcome = await conversation.changeAt(records, at);
    });
    return outcome;
  }

  async erase(ids: readonly MessageId[]): Promise<Result<void, ReplicatedFileFailed>> {
    if (this.#isUndecided) return err(BUSY);
    const erased = await this.#erasing.eraseMessages(ids);
    if (erased.ok) return erased;
    return err(erased.error.code === "CANCELLED" ? BUSY : erased.error);
  }

  /** The decision about an interrupted answer says which message it follows. */
  get #isUndecided(): boolean {
    return this.#recovery.steps.length > 0 || this.#recovery.batch !== undefined;
  }
}

const BUSY: ConversationBusy = { code: "CONVERSATION_BUSY" };

function isOfOwnSegment(record: ConversationRecord): boolean {
  return record.kind === "segment" && record.publishedTo !== undefined;
}
