/**
 * Searches a conversation's file read-only, without taking its lease. Messages that the file's index does not cover are
 * scanned, and all of them if the index is missing, damaged or of another version.
 */

import { join } from "node:path";
import type { MessageId } from "../../../core/ids.ts";
import { parseQuery, type SearchQuery } from "../../../core/search/searchQuery.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import type { Engine } from "../engine/engine.ts";
import { configureForReading, schemaVersion, SCHEMA_VERSION } from "../schema.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { storageFailureOf } from "../storageErrors.ts";
import { StoredRows } from "../storedRows.ts";
import { SearchIndex } from "./searchIndex.ts";
import { SearchTask } from "./searchTask.ts";

/** One search in one file. The creator must close it. */
export class FolderSearchTask {
  readonly #engine: Engine;
  readonly #task: SearchTask | undefined;

  /** The file must exist. Throws when it cannot be read. */
  constructor(folder: string, shim: SqlJsShim, wanted: { readonly query: string; readonly limit: number }) {
    this.#engine = openSqlJsEngine(shim, join(folder, DATABASE_FILE), true);
    try {
      configureForReading(this.#engine);
      const version = schemaVersion(this.#engine);
      if (version > 0 && parseQuery(wanted.query) !== undefined) this.#task = taskIn(this.#engine, version, wanted);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Searches until `deadlineMs` on `performance.now()`; returns the JSON hits once done. Throws on a read error. */
  runSlice(deadlineMs: number): string | undefined {
    return this.#task === undefined ? "[]" : this.#task.runSlice(deadlineMs);
  }

  close(): void {
    try {
      this.#engine.close();
    } catch (error) {
      storageFailureOf(error); // rethrows a bug; otherwise SQLite tried to write to the read-only file
    }
  }
}

function taskIn(
  engine: Engine,
  version: number,
  wanted: { readonly query: string; readonly limit: number },
): SearchTask {
  const rows = new StoredRows(engine);
  const read = (id: MessageId): string => rows.messageJson(id);
  const index = version === SCHEMA_VERSION ? indexIn(engine, read) : undefined;
  return new SearchTask(
    { kind: "search", id: 0, ...wanted },
    {
      messageCount: rows.messageCount,
      read,
      indexedCount: index?.indexedCount ?? 0,
      candidates: (query, end) => index && namedBy(index, query, end),
    },
  );
}

function indexIn(engine: Engine, read: (id: MessageId) => string): SearchIndex | undefined {
  return unlessDamaged(() => new SearchIndex(engine, read));
}

function namedBy(index: SearchIndex, query: SearchQuery, end: number): readonly MessageId[] | undefined {
  return unlessDamaged(() => index.candidates(query, end));
}

/** A damaged index is not fatal: the messages themselves are scanned instead. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (storageFailureOf(error).reason !== "damaged") throw error;
    return undefined;
  }
}
