/** The port to the durable side of a conversation; the SQLite adapter implements it. */

import type { StorageFailed } from "../errors.ts";
import type { Erasure } from "../history/erasure.ts";
import type { ConversationRecord, IndexRecord } from "../history/records.ts";
import type { MessageId, StepId } from "../ids.ts";
import type { StoredMessage } from "../message.ts";
import type { Result } from "../result.ts";
import type { SearchHit } from "../search/bestHits.ts";
import type { JournalRow } from "./journalRow.ts";

/** A record to make durable. Only the owner of a conversation's changes writes these: `core/conversation`. */
export interface RecordWrite {
  readonly kind: "record";
  readonly record: ConversationRecord;
}

/**
 * Something to make durable that is no part of the history: rows of a journal, and the draft. `journalDrop` forgets the
 * rows of a step, in the transaction that adds its message.
 */
export type JournalWrite =
  | { readonly kind: "journalRow"; readonly row: JournalRow }
  | { readonly kind: "journalDrop"; readonly stepId: StepId }
  | { readonly kind: "draft"; readonly text: string };

/** One thing to make durable. Those given together are one transaction: all or none. */
export type StoreWrite = RecordWrite | JournalWrite;

/** How many of a conversation's records there are, and what a first page needs. Counts do not grow with what is loaded. */
export interface StoredShape {
  readonly messageCount: number;
  readonly recordCount: number;
  readonly draft: string;
  /** Rows that a crash left behind, by step and in order; steps oldest first. */
  readonly journal: readonly JournalRow[];
  /** Written by a newer Forge: it can be read and searched, every commit fails with `newerVersion`, and no file changes. */
  readonly readOnly?: true;
}

/** Which messages a search looks at, and how many it answers. */
export interface SearchOptions {
  /** The best so many; 1 or more. */
  readonly limit: number;
  /** Only messages before this one. */
  readonly before?: MessageId;
}

/** The texts of a conversation. */
export interface MessageReader {
  /** The messages of `ids`, in the order asked; an id that is not stored is a bug and throws. */
  readMessages(ids: readonly MessageId[]): Promise<Result<readonly StoredMessage[], StorageFailed>>;
}

/** The store as journals and the composer see it: they read messages and write rows of their own, never records. */
export interface JournalStore extends MessageReader {
  readonly shape: StoredShape;
  commit(writes: readonly JournalWrite[]): Promise<Result<void, StorageFailed>>;
}

/** The durable side of one open conversation. Its holder has the lease; nobody else writes. */
export interface ConversationStore extends MessageReader {
  /** What was found at the opening. */
  readonly shape: StoredShape;
  /**
   * Makes `writes` durable as one transaction; resolves after the sync, in the order of the calls. Calls made while a
   * commit runs are committed together, next. After a failure nothing of the group is stored, and later journal rows of
   * a step that lost one are refused too, so that no gap ever becomes durable.
   */
  commit(writes: readonly StoreWrite[]): Promise<Result<void, StorageFailed>>;
  /** Index records in the order they were stored, from record number `from` (0 is the first), at most `limit`. */
  readIndex(from: number, limit: number): Promise<Result<readonly IndexRecord[], StorageFailed>>;
  /**
   * Finds messages, hidden ones too, that hold everything in `query`, as `core/search` has it; the best first, the newer one
   * of two as good. Nothing in `query` has a meaning of its own. Sees everything committed before. Never holds up a commit.
   */
  search(query: string, options: SearchOptions): Promise<Result<readonly SearchHit[], StorageFailed>>;
  /**
   * Erases for good the words of the messages that `erasure` names, with all that was made of them: summaries, titles, the
   * index, the stored draft, and copies of the file that a rescue kept. Then no byte of them is in any file of the conversation,
   * and its record is in the history. Whole or not at all; only when it fails at its very end may it be done all the same.
   * Takes as long, and for that time as much room, as a copy of the conversation does; commits wait.
   */
  erase(erasure: Erasure): Promise<Result<void, StorageFailed>>;
  /**
   * Commits what is queued, closes the file and frees it. Idempotent. Fails only when the file may still be in use:
   * then its lease must be kept until it is `gone`.
   */
  close(): Promise<Result<void, StorageFailed>>;
  /** Resolves once nothing of this store can be written any more, however it came to its end. */
  readonly gone: Promise<void>;
}

/** The store of an open conversation as everybody but the owner of its changes sees it. */
export type OpenStore = Omit<ConversationStore, "commit" | "erase"> & JournalStore;
