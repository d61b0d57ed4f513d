/** An in-memory `ConversationStore` with the rules of the real one. */

import { setImmediate } from "node:timers/promises";
import type { StorageFailed } from "../../../src/core/errors.ts";
import { recordAfterErasure, type Erasure } from "../../../src/core/history/erasure.ts";
import type { ConversationRecord, IndexRecord, MessageRecord } from "../../../src/core/history/records.ts";
import type { MessageId } from "../../../src/core/ids.ts";
import type { JournalRow } from "../../../src/core/store/journalRow.ts";
import type {
  ConversationStore,
  RankedSearchOptions,
  SearchOptions,
  StoreSnapshot,
  StoreWrite,
} from "../../../src/core/store/conversationStore.ts";
import type { StoredMessage } from "../../../src/core/message.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { err, ok, type Result } from "../../../src/core/result.ts";
import { BestHits, type SearchHit } from "../../../src/core/search/bestHits.ts";
import { parseRankedQuery } from "../../../src/core/search/ranking/rankedQuery.ts";
import { rankedSearch, type RankedHit } from "../../../src/core/search/ranking/rankedSearch.ts";
import { StemCache } from "../../../src/core/search/ranking/terms.ts";
import { snowballStemmer } from "../../../src/adapters/stemmers/snowballStemmer.ts";
import { parseQuery } from "../../../src/core/search/searchQuery.ts";

/** Content that outlives a store, like a file. */
export interface MemoryDisk {
  records: readonly ConversationRecord[];
  journal: readonly JournalRow[];
  draft: string;
}

export function memoryDisk(): MemoryDisk {
  return { records: [], journal: [], draft: "" };
}

/** Opens `disk`. `failNext` lets the next commit fail; `commits` counts successful ones. */
export class MemoryStore implements ConversationStore {
  readonly shape: StoreSnapshot;
  readonly closed: Promise<void>;
  failNext: StorageFailed | undefined;
  commits = 0;
  readonly #disk: MemoryDisk;
  readonly #brokenSteps = new Map<string, StorageFailed>();
  #last: Promise<unknown> = Promise.resolve();
  #closed: Promise<Result<void, StorageFailed>> | undefined;
  #end: () => void = () => undefined;

  constructor(disk: MemoryDisk = memoryDisk()) {
    this.closed = new Promise((resolve) => (this.#end = resolve));
    this.#disk = disk;
    this.shape = {
      messageCount: messagesOf(disk).length,
      recordCount: disk.records.length,
      draft: disk.draft,
      journal: [...new Set(disk.journal.map((row) => row.stepId))].flatMap((id) =>
        disk.journal.filter((row) => row.stepId === id),
      ),
    };
  }

  commit(writes: readonly StoreWrite[]): Promise<Result<void, StorageFailed>> {
    return this.#inOrder(() => {
      const failure = this.failNext ?? this.#refusal(writes);
      this.failNext = undefined;
      if (failure !== undefined) {
        for (const write of writes) if (write.kind === "journalRow") this.#brokenSteps.set(write.row.stepId, failure);
        return err(failure);
      }
      const after = writes.reduce(applied, { ...this.#disk });
      Object.assign(this.#disk, after);
      for (const write of writes) if (write.kind === "journalDrop") this.#brokenSteps.delete(write.stepId);
      this.commits++;
      return ok(undefined);
    });
  }

  readIndex(from: number, limit: number): Promise<Result<readonly IndexRecord[], StorageFailed>> {
    return this.#inOrder(() => ok(this.#disk.records.slice(from, from + limit).map(indexPart)));
  }

  readMessages(ids: readonly MessageId[]): Promise<Result<readonly StoredMessage[], StorageFailed>> {
    return this.#inOrder(() => {
      const messages = messagesOf(this.#disk);
      return ok(
        ids.map((id) => {
          const found = messages[id];
          if (found === undefined) throw new Error(`message ${id} is not stored`);
          return { entry: found.entry, message: found.message };
        }),
      );
    });
  }

  search(typed: string, { limit, before }: SearchOptions): Promise<Result<readonly SearchHit[], StorageFailed>> {
    return this.#inOrder(() => {
      const query = parseQuery(typed);
      if (query === undefined) return ok([]);
      const hits = new BestHits(query, limit);
      for (const { entry, message } of messagesOf(this.#disk).slice(0, before)) hits.add(entry.id, message);
      return ok(hits.list);
    });
  }

  async searchRanked(
    typed: string,
    options: RankedSearchOptions,
  ): Promise<Result<readonly RankedHit[], StorageFailed>> {
    const stems = new StemCache(snowballStemmer);
    const query = parseRankedQuery(typed, stems);
    if (query === undefined) {
      const found = await this.search(typed, options);
      return found.ok ? ok(found.value.map((hit) => ({ ...hit, words: [], hasAll: true }))) : found;
    }
    return this.#inOrder(() => {
      const messages = messagesOf(this.#disk).slice(0, options.before);
      const source = {
        end: messages.length,
        read: (id: MessageId) => messages[id]?.message,
        indexedCount: 0,
        named: () => undefined,
      };
      return ok(runSync(rankedSearch({ query, ...options }, source, stems)));
    });
  }

  erase(erasure: Erasure): Promise<Result<void, StorageFailed>> {
    return this.#inOrder(() => {
      Object.assign(this.#disk, afterErasing(this.#disk, erasure));
      return ok(undefined);
    });
  }

  close(): Promise<Result<void, StorageFailed>> {
    this.#closed ??= this.#inOrder(() => {
      this.#end();
      return ok(undefined);
    });
    return this.#closed;
  }

  #refusal(writes: readonly StoreWrite[]): StorageFailed | undefined {
    const dropped = new Set(writes.flatMap((write) => (write.kind === "journalDrop" ? [write.stepId] : [])));
    const rows = writes.flatMap((write) =>
      write.kind === "journalRow" && !dropped.has(write.row.stepId) ? [write.row.stepId] : [],
    );
    return rows.map((step) => this.#brokenSteps.get(step)).find((failure) => failure !== undefined);
  }

  #inOrder<T>(action: () => Result<T, StorageFailed>): Promise<Result<T, StorageFailed>> {
    const dead: StorageFailed = { code: "STORAGE_FAILED", reason: "workerDied", detail: "the store is closed" };
    const isClosed = this.#closed !== undefined;
    const result = this.#last.then(() => setImmediate()).then(() => (isClosed ? err(dead) : action()));
    this.#last = result.catch(() => undefined); // an exception of one caller must not reach the next
    return result;
  }
}

function applied(disk: MemoryDisk, write: StoreWrite): MemoryDisk {
  switch (write.kind) {
    case "record":
      demand(
        write.record.kind !== "message" || write.record.entry.id === messagesOf(disk).length,
        "message: id out of order",
      );
      return { ...disk, records: withRecord(disk, write.record) };
    case "journalRow": {
      const { stepId, seq } = write.row;
      const before = disk.journal.filter((row) => row.stepId === stepId).at(-1);
      const follows = before === undefined ? seq === 0 : seq === before.seq + 1 && !isLast(before);
      demand(follows, "journal: a gap, or a row after the last one");
      return { ...disk, journal: [...disk.journal, write.row] };
    }
    case "journalDrop":
      return { ...disk, journal: disk.journal.filter((row) => row.stepId !== write.stepId) };
    case "draft":
      return { ...disk, draft: write.text };
  }
}

function afterErasing({ records, journal }: MemoryDisk, erasure: Erasure): MemoryDisk {
  const newestTitle = records.findLastIndex(({ kind }) => kind === "title");
  return {
    records: [
      ...records.map((record, index) => recordAfterErasure(record, erasure, index === newestTitle)),
      erasure.record,
    ],
    journal: journal.filter(({ stepId }) => !erasure.steps.includes(stepId)),
    draft: erasure.draft,
  };
}

function isLast(row: JournalRow): boolean {
  return row.eventType === "done" || row.eventType === "error";
}

function demand(condition: boolean, words: string): void {
  if (!condition) throw new Error(words);
}

/** Cache of the messages in records, used by every read and write. */
const gathered = new WeakMap<readonly ConversationRecord[], readonly MessageRecord[]>();

function messagesOf({ records }: MemoryDisk): readonly MessageRecord[] {
  const messages = gathered.get(records) ?? records.filter((record) => record.kind === "message");
  gathered.set(records, messages);
  return messages;
}

function withRecord(disk: MemoryDisk, record: ConversationRecord): readonly ConversationRecord[] {
  const records = [...disk.records, record];
  const messages = messagesOf(disk);
  gathered.set(records, record.kind === "message" ? [...messages, record] : messages);
  return records;
}

function indexPart(record: ConversationRecord): IndexRecord {
  return record.kind === "message" ? { kind: "entry", entry: record.entry } : record;
}
