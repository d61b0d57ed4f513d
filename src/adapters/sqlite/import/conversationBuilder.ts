/**
 * Builds databases of conversations that nobody knows of before they are complete: without a log, without syncs, and
 * under another name. What a failure or a kill leaves is no conversation.
 */

import fs from "node:fs";
import { join } from "node:path";
import type { ConversationRecord } from "../../../core/history/records.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import { folderOf } from "../engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../engine/sqlJsEngine.ts";
import type { SqlJsShim } from "../engine/sqlJsShim.ts";
import { configureForBuilding, migrate } from "../schema.ts";
import { WriteStatements } from "../writeStatements.ts";

const BUILT_FILE = "tmp.built-database";

/** Every member throws what failed. */
export class ConversationBuilder {
  readonly #shim: SqlJsShim;
  readonly #folders: string[] = [];
  /** A database with its tables and no rows: making them takes longer than storing a short conversation. */
  #empty: Uint8Array | undefined;

  constructor(shim: SqlJsShim) {
    this.#shim = shim;
  }

  /** Stores the records in a new database of `folder`. */
  build(folder: string, records: Iterable<ConversationRecord>): void {
    const path = join(folder, BUILT_FILE);
    const { calls } = this.#shim.files;
    if (this.#empty === undefined) this.#empty = this.#makeEmpty(path);
    else this.#write(path, this.#empty);
    const engine = openSqlJsEngine(this.#shim, path);
    try {
      configureForBuilding(engine);
      const writing = this.#shim.files.writeBehind(path);
      const writes = new WriteStatements(engine);
      engine.exec("BEGIN");
      for (const record of records) writes.apply({ kind: "record", record });
      engine.exec("COMMIT");
      engine.all("PRAGMA journal_mode=WAL"); // as in every other database
      writing.flush();
    } finally {
      engine.close();
    }
    calls.rename(path, join(folder, DATABASE_FILE));
    this.#folders.push(folder);
  }

  /** Makes all that was built durable, with its names. */
  sync(): void {
    const { calls } = this.#shim.files;
    for (const folder of this.#folders) {
      const handle = calls.open(join(folder, DATABASE_FILE), fs.constants.O_RDWR, 0);
      try {
        calls.sync(handle);
      } finally {
        calls.close(handle);
      }
    }
    const all = new Set(this.#folders.flatMap((folder) => [folder, folderOf(folder)]));
    for (const folder of all) calls.syncFolder(folder);
  }

  /** Leaves it at `path`, and returns its content. */
  #makeEmpty(path: string): Uint8Array {
    const engine = openSqlJsEngine(this.#shim, path);
    try {
      configureForBuilding(engine);
      migrate(engine);
    } finally {
      engine.close();
    }
    const { calls } = this.#shim.files;
    const handle = calls.open(path, fs.constants.O_RDONLY, 0);
    try {
      const bytes = new Uint8Array(Number(calls.statHandle(handle).size));
      for (let done = 0; done < bytes.length;) {
        const got = calls.read(handle, bytes, done, bytes.length - done, done);
        if (got === 0) throw new Error("the file has become shorter");
        done += got;
      }
      return bytes;
    } finally {
      calls.close(handle);
    }
  }

  #write(path: string, bytes: Uint8Array): void {
    const { calls } = this.#shim.files;
    const { O_CREAT, O_EXCL, O_WRONLY } = fs.constants;
    const handle = calls.open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600);
    try {
      for (let done = 0; done < bytes.length;) done += calls.write(handle, bytes, done, bytes.length - done, done);
    } finally {
      calls.close(handle);
    }
  }
}
