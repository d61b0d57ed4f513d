/**
 * Builds the database of a conversation that nobody knows of before it is complete: without a log, without syncs, and
 * under another name. What a failure or a kill leaves is no conversation.
 */

import fs from "node:fs";
import { join } from "node:path";
import type { ConversationRecord } from "../../../core/history/records.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import { textColumn } from "../engine/engine.ts";
import { folderOf, type FileCalls } from "../engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { configureForBuilding, migrate } from "../schema.ts";
import { WriteStatements } from "../writeStatements.ts";

const BUILT_FILE = "tmp.built-database";

/** Stores the records in the new database of `folder`, which is not synced. Throws what failed. */
export function buildConversation(folder: string, records: Iterable<ConversationRecord>, shim: SqlJsShim): void {
  const path = join(folder, BUILT_FILE);
  const engine = openSqlJsEngine(shim, path);
  try {
    configureForBuilding(engine);
    migrate(engine);
    // Without them, rows are added faster by a fourth.
    const triggers = engine.all("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'");
    for (const row of triggers) engine.exec(`DROP TRIGGER ${textColumn(row, "name")}`);
    const writing = shim.files.writeBehind(path);
    const writes = new WriteStatements(engine);
    engine.exec("BEGIN");
    for (const record of records) writes.apply({ kind: "record", record });
    engine.exec("COMMIT");
    for (const row of triggers) engine.exec(textColumn(row, "sql"));
    engine.all("PRAGMA journal_mode=WAL"); // as in every other database
    writing.flush();
  } finally {
    engine.close();
  }
  shim.files.calls.rename(path, join(folder, DATABASE_FILE));
}

/** Makes what was built in the folders durable, with its names. Throws the system's error. */
export function syncConversations(folders: readonly string[], calls: FileCalls): void {
  for (const folder of folders) {
    const handle = calls.open(join(folder, DATABASE_FILE), fs.constants.O_RDWR, 0);
    try {
      calls.sync(handle);
    } finally {
      calls.close(handle);
    }
  }
  for (const folder of new Set(folders.flatMap((each) => [each, folderOf(each)]))) calls.syncFolder(folder);
}
