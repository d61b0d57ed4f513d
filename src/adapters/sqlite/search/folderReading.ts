/**
 * A conversation's file, opened only to be searched: not a byte of it changes, and nobody has to let go of it. Its index
 * is used as far as it goes; where it is missing, of another version or damaged, every message is looked at.
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

/** One search in one file. To be closed by whoever opened it. */
export class FolderReading {
  readonly #engine: Engine;
  readonly #task: SearchTask | undefined;

  /** Opens the file of `folder`, which is there. Throws when it cannot be read. */
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

  /** Goes on until `deadlineMs` of `performance.now()`; answers the hits as JSON once all is done. Throws when it cannot. */
  goOn(deadlineMs: number): string | undefined {
    return this.#task === undefined ? "[]" : this.#task.goOn(deadlineMs);
  }

  /** Lets go of the file. */
  close(): void {
    try {
      this.#engine.close();
    } catch (error) {
      storageFailureOf(error); // throws on when it is a bug; SQLite tried to tidy up, and was not let
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

/** An index is not what was said: without it the messages themselves are looked at. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (storageFailureOf(error).reason !== "damaged") throw error;
    return undefined;
  }
}
