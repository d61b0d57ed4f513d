/**
 * Tables of a conversation's database, and the migrations between versions.
 *
 * Invariants, enforced by the database: records and messages are append-only and numbered 0, 1, 2, … without a gap; the
 * journal rows of a step have no gap, and none follows a sealed one; a step becomes at most one message.
 * Text is stored as JSON because model output may contain zero bytes and lone surrogates, which SQL text may not.
 */

import type { StorageFailed } from "../../core/errors.ts";
import { numberColumn, type Engine } from "./engine/engine.ts";

/** "Forg" in ASCII. */
export const APPLICATION_ID = 0x466f7267;

const VERSION_1 = `
CREATE TABLE record(
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  checksum INTEGER NOT NULL
);
CREATE TABLE message(
  id INTEGER PRIMARY KEY,
  step TEXT,
  entry TEXT NOT NULL,
  body TEXT NOT NULL,
  checksum INTEGER NOT NULL
);
CREATE UNIQUE INDEX message_step ON message(step) WHERE step IS NOT NULL;
CREATE TABLE journal(
  step_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  sealed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(step_id, seq)
) WITHOUT ROWID;
CREATE TABLE draft(
  id INTEGER PRIMARY KEY CHECK(id = 0),
  content TEXT NOT NULL
);
CREATE TRIGGER record_next BEFORE INSERT ON record
WHEN NEW.number IS NOT (SELECT ifnull(max(number) + 1, 0) FROM record)
BEGIN SELECT RAISE(ABORT, 'record: number out of order'); END;
CREATE TRIGGER record_no_update BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'record: append only'); END;
CREATE TRIGGER record_no_delete BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'record: append only'); END;
CREATE TRIGGER message_next BEFORE INSERT ON message
WHEN NEW.id IS NOT (SELECT ifnull(max(id) + 1, 0) FROM message)
BEGIN SELECT RAISE(ABORT, 'message: id out of order'); END;
CREATE TRIGGER message_no_update BEFORE UPDATE ON message
BEGIN SELECT RAISE(ABORT, 'message: append only'); END;
CREATE TRIGGER message_no_delete BEFORE DELETE ON message
BEGIN SELECT RAISE(ABORT, 'message: append only'); END;
CREATE TRIGGER journal_no_gap BEFORE INSERT ON journal
WHEN NEW.seq > 0 AND NOT EXISTS(
  SELECT 1 FROM journal WHERE step_id = NEW.step_id AND seq = NEW.seq - 1 AND sealed = 0
)
BEGIN SELECT RAISE(ABORT, 'journal: a gap, or a row after the last one'); END;
CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'journal: append only'); END;
`;

/**
 * Full-text index of the terms of each message. `core/search` does the tokenizing, for all scripts, so SQLite only
 * splits at spaces. Contentless: neither the text nor the term counts are stored again. `docid` is the message id.
 */
const VERSION_2 = `
CREATE VIRTUAL TABLE search USING fts4(content="", matchinfo=fts3, tokenize=simple, terms);
CREATE TABLE search_state(
  id INTEGER PRIMARY KEY CHECK(id = 0),
  indexed INTEGER NOT NULL
);
`;

/** The tables are the same; there are `segment` records, which Forges that know version 2 alone must not ignore. */
const VERSION_3 = "";

/** Script n turns version n into version n + 1; script 0 starts from an empty file. */
export const MIGRATIONS: readonly string[] = [VERSION_1, VERSION_2, VERSION_3];

/** The newest one that is known here. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The one that every file gets: it goes on to be written by Forges that know no segments, until it has one. */
export const TABLES_VERSION = 2;

/** The order matters: without shared memory, SQLite supports WAL only in exclusive locking mode. */
const PRAGMAS = [
  "locking_mode=EXCLUSIVE",
  "journal_mode=WAL",
  "synchronous=FULL",
  "wal_autocheckpoint=1000",
  "journal_size_limit=8388608",
  "cache_size=-16000",
  "temp_store=MEMORY",
  "foreign_keys=ON",
];

/** Sets WAL with full sync, in which no commit is lost; returns the journal mode that is actually in effect. */
export function configure(engine: Engine): string {
  engine.exec(PRAGMAS.map((pragma) => `PRAGMA ${pragma};`).join(""));
  return String(engine.all("PRAGMA journal_mode")[0]?.["journal_mode"]);
}

/** Settings for a read-only database. */
export function configureForReading(engine: Engine, cacheKib = 16_000): void {
  const pragmas = ["locking_mode=EXCLUSIVE", `cache_size=-${cacheKib}`, "temp_store=MEMORY", "query_only=ON"];
  engine.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join(""));
}

/** Settings for a new database that is not read before it is complete and synced: no log, and no syncs of its own. */
export function configureForBuilding(engine: Engine, schema = "main"): void {
  for (const pragma of ["locking_mode=EXCLUSIVE", "journal_mode=OFF", "synchronous=OFF", "cache_size=-16000"]) {
    engine.all(`PRAGMA ${schema}.${pragma}`);
  }
}

/** 0 for an empty file. */
export function schemaVersion(engine: Engine): number {
  return numberColumn(engine.all("PRAGMA user_version")[0], "user_version");
}

/** Call in the transaction that stores a `segment` record. */
export function noteSegment(engine: Engine): void {
  if (schemaVersion(engine) < SCHEMA_VERSION) engine.exec(`PRAGMA user_version=${SCHEMA_VERSION}`);
}

/** Migrates to the newest tables, each step in its own transaction. */
export function migrate(engine: Engine, migrations = MIGRATIONS.slice(0, TABLES_VERSION)): void {
  for (let version = schemaVersion(engine); version < migrations.length; version++) {
    engine.exec("BEGIN IMMEDIATE");
    engine.exec(migrations[version] ?? "");
    engine.exec(`PRAGMA application_id=${APPLICATION_ID}`);
    engine.exec(`PRAGMA user_version=${version + 1}`);
    engine.exec("COMMIT");
  }
}

export function newerVersion(version: number): StorageFailed {
  const detail = `the file has version ${version}, this Forge knows ${SCHEMA_VERSION}`;
  return { code: "STORAGE_FAILED", reason: "newerVersion", detail };
}
