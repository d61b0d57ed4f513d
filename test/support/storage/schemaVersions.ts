/** Files of every schema version, including a next one that exists only here. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { configure, migrate, MIGRATIONS } from "../../../src/adapters/sqlite/schema.ts";
import { openSqlJsEngine } from "../../../src/adapters/sqlite/engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { WriteStatements } from "../../../src/adapters/sqlite/writeStatements.ts";
import { addMessage } from "./storeBuilders.ts";

const DATABASE = "conversation.sqlite";

const NEXT = `
CREATE TABLE extra(id INTEGER PRIMARY KEY, size INTEGER NOT NULL);
INSERT INTO extra SELECT id, length(body) FROM message;
ALTER TABLE message ADD COLUMN added TEXT NOT NULL DEFAULT 'new';
`;

/** All migrations and a made-up next one. */
export const MIGRATIONS_AND_NEXT: readonly string[] = [...MIGRATIONS, NEXT];

/** Creates a file of schema version `version` with `messages` messages. */
export function makeVersion(shim: SqlJsShim, folder: string, version: number, messages: number): void {
  const engine = openSqlJsEngine(shim, join(folder, DATABASE));
  configure(engine);
  migrate(engine, MIGRATIONS_AND_NEXT.slice(0, version));
  const statements = new WriteStatements(engine);
  for (let id = 0; id < messages; id++) statements.apply(addMessage(id, `text ${id} `.repeat(200)));
  engine.close();
}

/** Migrates the file in `folder` to `version`. Throws on failure. */
export function migrateTo(shim: SqlJsShim, folder: string, version: number): void {
  const engine = openSqlJsEngine(shim, join(folder, DATABASE));
  try {
    configure(engine);
    migrate(engine, MIGRATIONS_AND_NEXT.slice(0, version));
  } finally {
    engine.close();
  }
}

/** Version, tables and row counts of a file, as read by a native SQLite, for comparison as a whole. */
export function shapeOfFile(folder: string): unknown {
  const database = new DatabaseSync(join(folder, DATABASE));
  try {
    const tables = database.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all();
    const counted = ["record", "message", "journal", "search_state", "extra"].filter((name) =>
      tables.some((table) => table["name"] === name),
    );
    return {
      version: database.prepare("PRAGMA user_version").get()?.["user_version"],
      tables: tables.map(({ name, sql }) => [name, sql]),
      rows: counted.map((name) => [name, database.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.["n"]]),
    };
  } finally {
    database.close();
  }
}
