/** The texts of a conversation that no window has open, read from its file without taking its lease. */

import { join } from "node:path";
import { messageId, type MessageId } from "../../../core/ids.ts";
import type { CooperativeTask } from "../../../core/cooperativeTask.ts";
import type { HistoryEntry, Message, StoredMessage } from "../../../core/message.ts";
import { conversationDigest, type ConversationDigest } from "../../../core/documents/conversationDigest.ts";
import { FullHistory } from "../../../core/history/fullHistory.ts";
import type { RankedSource } from "../../../core/search/ranking/rankedSearch.ts";
import type { ConversationTexts } from "../../../core/search/segments/fillIndex.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import { DamagedRow, type Engine } from "../engine/engine.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { parseIndexPage, parseMessages, storedJson } from "../rowCodec.ts";
import { configureForReading, schemaVersion, SCHEMA_VERSION, TABLES_VERSION } from "../schema.ts";
import { storageFailureOf } from "../storageErrors.ts";
import { StoredRows } from "../storedRows.ts";
import { RecalledMessages } from "./recalledMessages.ts";
import { SearchIndex } from "./searchIndex.ts";

/** Records read between two pauses. */
const RECORDS_AT_ONCE = 200;
/** Messages that filling an index reads at once, and the bytes of each: a longer one is read by itself. */
const READ_AHEAD = 16;
const MOST_BYTES_AHEAD = 4_096;
/** One of thousands, read once. */
const CACHE_KIB = 2_000;

export class ClosedConversation implements ConversationTexts {
  readonly messageCount: number;
  readonly recordCount: number;
  readonly #engine: Engine;
  readonly #rows: StoredRows;
  readonly #version: number;
  readonly #lastReadCount: number;
  readonly #lastRead = new Map<number, StoredMessage>();
  #ahead: ReadAhead | undefined;

  private constructor(engine: Engine, lastReadCount: number) {
    this.#lastReadCount = lastReadCount;
    configureForReading(engine, CACHE_KIB);
    this.#version = schemaVersion(engine);
    if (this.#version === 0) throw new DamagedRow("an empty file");
    this.#engine = engine;
    this.#rows = new StoredRows(engine);
    this.messageCount = this.#rows.messageCount;
    this.recordCount = this.#rows.recordCount;
  }

  /**
   * `undefined` if the file is missing or cannot be read. Retains `lastReadCount` messages: a search reads each one that
   * it shows for its rank, its excerpt and the list.
   */
  static open(folder: string, shim: SqlJsShim, lastReadCount = 0): ClosedConversation | undefined {
    if (shim.files.calls.find(join(folder, DATABASE_FILE)) === undefined) return undefined;
    return unlessFailed(() => {
      const engine = openSqlJsEngine(shim, join(folder, DATABASE_FILE), true);
      try {
        return new ClosedConversation(engine, lastReadCount);
      } catch (error) {
        closeEngine(engine);
        throw error;
      }
    });
  }

  /**
   * The engine's code is compiled as it first runs, which would hold the thread for 25 ms at the first opening. Uses a
   * database in memory.
   */
  static prepare({ sql }: SqlJsShim): void {
    const database = new sql.Database();
    database.run(`PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-${CACHE_KIB}; PRAGMA user_version`);
    database.run("CREATE TABLE message(id INTEGER PRIMARY KEY, body TEXT); INSERT INTO message VALUES(0, '{}')");
    database.exec("SELECT ifnull(max(id) + 1, 0) FROM message");
    database.exec("SELECT id, body FROM message WHERE id >= ? ORDER BY id LIMIT ?", [0, 1]);
    database.close();
  }

  read(id: number): Message | undefined {
    return this.#stored(id)?.message;
  }

  /** `undefined` when it cannot be read as a whole. */
  *digest(
    budgetTokens: number,
    matches: readonly MessageId[] | undefined,
  ): CooperativeTask<ConversationDigest | undefined> {
    try {
      const history = new FullHistory();
      for (let from = 0; from < this.recordCount; from += RECORDS_AT_ONCE) {
        const json = this.#rows.indexJson(from, RECORDS_AT_ONCE, true);
        for (const record of parseIndexPage(json)) history.apply(record);
        yield;
      }
      return yield* conversationDigest(history, (id) => this.#stored(id), budgetTokens, matches);
    } catch (error) {
      storageFailureOf(error); // rethrows a bug
      return undefined;
    }
  }

  /** Role and time of a message, for a list. */
  entry(id: number): Pick<HistoryEntry, "role" | "batch" | "createdAtMs"> | undefined {
    const entry = this.#stored(id)?.entry;
    if (entry === undefined) return undefined;
    const { role, batch, createdAtMs } = entry;
    return { role, createdAtMs, ...(batch === undefined ? {} : { batch }) };
  }

  /** `undefined` when the user has left it out, or its records cannot be read. */
  *recalled(): CooperativeTask<RecalledMessages | undefined> {
    try {
      return yield* RecalledMessages.of(this.#engine, this.recordCount, (id) => this.#stored(id));
    } catch (error) {
      storageFailureOf(error); // rethrows a bug
      return undefined;
    }
  }

  #stored(id: number): StoredMessage | undefined {
    if (this.#lastReadCount === 0) return this.#readAhead(id) ?? this.#readOne(id);
    const known = this.#lastRead.get(id);
    if (known !== undefined) return known;
    const stored = this.#readOne(id);
    if (stored === undefined) return undefined;
    const [oldest] = this.#lastRead.size < this.#lastReadCount ? [] : this.#lastRead.keys();
    if (oldest !== undefined) this.#lastRead.delete(oldest);
    this.#lastRead.set(id, stored);
    return stored;
  }

  #readOne(id: number): StoredMessage | undefined {
    return unlessFailed(() => parseMessages(`[${this.#rows.messageJson(messageId(id))}]`)[0]);
  }

  /** `undefined` for a long one, or where one cannot be read. */
  #readAhead(id: number): StoredMessage | undefined {
    if (this.#ahead === undefined || id < this.#ahead.first || id >= this.#ahead.end) {
      const [first, end] = [id, id + READ_AHEAD];
      const short = unlessFailed(() => this.#rows.shortMessages(first, end, MOST_BYTES_AHEAD)) ?? [];
      const read = parseMessages(`[${short.map(storedJson).join(",")}]`);
      this.#ahead = { first, end, byId: new Map(read.map((message, at) => [short[at]?.id ?? -1, message])) };
    }
    return this.#ahead.byId.get(id);
  }

  erasesSince(recordCount: number): boolean {
    const sql = "SELECT count(*) AS n FROM record WHERE number >= ? AND kind = 'erasure'";
    return unlessFailed(() => this.#engine.all(sql, [recordCount])[0]?.["n"]) !== 0;
  }

  /** The file's own index, where that is sound. */
  ownIndex(): Pick<RankedSource, "indexedCount" | "named"> {
    const index =
      TABLES_VERSION <= this.#version && this.#version <= SCHEMA_VERSION
        ? unlessFailed(() => new SearchIndex(this.#engine, (id) => this.#rows.messageJson(id)))
        : undefined;
    return {
      indexedCount: index?.indexedCount ?? 0,
      named: (...wanted) => index && unlessFailed(() => index.named(...wanted)),
    };
  }

  close(): void {
    closeEngine(this.#engine);
  }
}

interface ReadAhead {
  readonly first: number;
  readonly end: number;
  readonly byId: ReadonlyMap<number, StoredMessage>;
}

function closeEngine(engine: Engine): void {
  try {
    engine.close();
  } catch (error) {
    storageFailureOf(error); // rethrows a bug; otherwise SQLite tried to write to the read-only file
  }
}

/** Rethrows a bug. */
function unlessFailed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    storageFailureOf(error);
    return undefined;
  }
}
