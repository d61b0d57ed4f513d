/** Port to the storage of a conversation, implemented by the SQLite adapter. */

import type { StorageFailed } from "../errors.ts";
import type { Erasure } from "../history/erasure.ts";
import type { Fork } from "../history/fork.ts";
import type { ConversationRecord, IndexRecord } from "../history/records.ts";
import type { MessageId, StepId } from "../ids.ts";
import type { StoredMessage } from "../message.ts";
import type { Result } from "../result.ts";
import type { SearchHit } from "../search/bestHits.ts";
import type { KnownTexts } from "../search/ranking/news.ts";
import type { RankedHit } from "../search/ranking/rankedSearch.ts";
import type { JournalRow } from "./journalRow.ts";

/** Written only by the owner of a conversation's changes: `core/conversation`. */
export interface RecordWrite {
  readonly kind: "record";
  readonly record: ConversationRecord;
}

/**
 * Durable data outside the history: journal rows and the draft. `journalDrop` deletes the rows of a step, in the
 * transaction that adds its message.
 */
export type JournalWrite =
  | { readonly kind: "journalRow"; readonly row: JournalRow }
  | { readonly kind: "journalDrop"; readonly stepId: StepId }
  | { readonly kind: "draft"; readonly text: string };

/** Writes that are committed together are one transaction: all or none. */
export type StoreWrite = RecordWrite | JournalWrite;

/** Counts of the whole file, however much of it is loaded, and what the first page needs. */
export interface StoreSnapshot {
  readonly messageCount: number;
  readonly recordCount: number;
  readonly draft: string;
  /** Rows left by a crash, grouped by step and in `seq` order; oldest step first. */
  readonly journal: readonly JournalRow[];
  /**
   * Why nothing can be saved: a newer Forge wrote the file, or it cannot be written. Readable and searchable, but no
   * file changes; commits fail with this reason.
   */
  readonly readOnly?: StorageFailed["reason"];
}

export interface SearchOptions {
  /** Maximum number of hits, best first; at least 1. */
  readonly limit: number;
  /** Only messages before this one. */
  readonly before?: MessageId;
}

export interface RankedSearchOptions extends SearchOptions {
  /** Only messages with all of the words. */
  readonly needsAll?: boolean;
  /** The last word may be the beginning of one. */
  readonly isOpen?: boolean;
  /** Length of an excerpt in UTF-16 units, if not that for a list. */
  readonly excerptLength?: number;
  /** Texts that the reader has: other messages are found, with their news. */
  readonly known?: KnownTexts;
}

export interface MessageReader {
  /** Messages in the order of `ids`. Throws on an id that is not stored: that is a bug. */
  readMessages(ids: readonly MessageId[]): Promise<Result<readonly StoredMessage[], StorageFailed>>;
}

/** The store as journals and the composer see it: they read messages and write rows of their own, never records. */
export interface JournalStore extends MessageReader {
  readonly shape: StoreSnapshot;
  commit(writes: readonly JournalWrite[]): Promise<Result<void, StorageFailed>>;
}

/** Storage of one open conversation. The holder owns the lease and is the only writer. */
export interface ConversationStore extends MessageReader {
  /** As found when the store was opened. */
  readonly shape: StoreSnapshot;
  /**
   * Makes `writes` durable in one transaction; resolves after the sync, in call order. Calls made during a commit are
   * grouped into the next one. If a group fails, nothing of it is stored, and later journal rows of a step that lost
   * one are refused too, so that no gap ever becomes durable.
   */
  commit(writes: readonly StoreWrite[]): Promise<Result<void, StorageFailed>>;
  /** At most `limit` index records in storage order, starting at record number `from` (0-based). */
  readIndex(from: number, limit: number): Promise<Result<readonly IndexRecord[], StorageFailed>>;
  /**
   * Finds messages, hidden ones included, that contain everything in `query` as `core/search` reads it; best first, the
   * newer one first on a tie. `query` has no special syntax. Sees every earlier commit and never delays one.
   */
  search(query: string, options: SearchOptions): Promise<Result<readonly SearchHit[], StorageFailed>>;
  /**
   * Finds messages, hidden ones included, that have words of `question` or stand next to one that does, best first as
   * `core/search/ranking` has it. Sees every earlier commit and never delays one.
   */
  searchRanked(question: string, options: RankedSearchOptions): Promise<Result<readonly RankedHit[], StorageFailed>>;
  /**
   * Permanently erases the text of the messages that `erasure` names and everything derived from it: summaries, titles,
   * the index, the stored draft, and copies made by a rescue. Afterwards no byte of it is in any file of the
   * conversation, and the erasure record is in the history. Atomic, except that a failure at the very end may still
   * have erased. Takes the time and the disk space of a copy of the conversation, in slices: commits and reads go on.
   */
  erase(erasure: Erasure): Promise<Result<void, StorageFailed>>;
  /**
   * Stores a fork in the empty `folder`, durable and whole or not at all: what `copiedRecord` makes of the records that
   * are stored now, `NOT_COPIED` for others before message `fork.end`, and then `fork.records`. No byte of what is not
   * copied is in its files. Runs in slices: commits and reads go on.
   */
  fork(fork: Fork, folder: string): Promise<Result<void, StorageFailed>>;
  /**
   * Commits queued writes, closes and releases the file. Idempotent. Fails only if the file may still be in use: then
   * its lease must be held until `gone` resolves.
   */
  close(): Promise<Result<void, StorageFailed>>;
  /** Resolves once this store can no longer write, however it ended. */
  readonly closed: Promise<void>;
}

/** The store as seen by everyone but the owner of its changes. */
export type OpenStore = Omit<ConversationStore, "commit" | "erase" | "fork"> & JournalStore;
