/** A conversation that no window has open, as it is read for its replica. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "../../../src/core/result.ts";
import { ClosedFile } from "../../../src/adapters/sqlite/closedFile.ts";
import { DATABASE_FILE } from "../../../src/adapters/sqlite/databaseFile.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs, type SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { newerVersion, SCHEMA_VERSION } from "../../../src/adapters/sqlite/schema.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { messageId, type ConversationId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import type { PublishedRecord } from "../../../src/core/replica/wireRecord.ts";
import { SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const ID = "00000000-0000-4000-8000-000000000001" as ConversationId;
const TOKENS = { cl100k: 3, o200k: 3 };
/** In the file, see SQLite's file format. */
const USER_VERSION_AT = 60;
/** Of a message, as JSON has it. */
const WORD = String.raw`ö\n`;

function messagesOf(lengths: readonly number[]): readonly ConversationRecord[] {
  return lengths.map((length, at) => {
    const id = messageId(at);
    const entry = { id, role: "user", turn: id, state: "complete", createdAtMs: at, tokens: TOKENS } as const;
    return { kind: "message", entry, message: textMessage("user", "ö\n".repeat(length / 2)) };
  });
}

function around(length: number): readonly number[] {
  return Array.from({ length: 200 }, (_, at) => length - 140 + at);
}

const TITLE: ConversationRecord = { kind: "title", title: "Tides", by: "user", atMs: 1 };
/** Of 3.8 MB. */
const LONG = 1_900_000;

/** Lengths of messages, and how many records each page has. */
const CASES: readonly { readonly title: string; readonly lengths: readonly number[]; readonly pages: number[] }[] = [
  { title: "nothing", lengths: [], pages: [1] },
  { title: "short messages", lengths: Array.from({ length: 300 }, (_, at) => at), pages: [256, 45] },
  { title: "short ones among longer ones", lengths: [8, 20_000, 6, 40_000, 16_384, 4], pages: [7] },
  { title: "ones of all lengths around a page", lengths: [...around(2_048), ...around(4_096)], pages: [256, 145] },
  { title: "long ones, of which a page has few", lengths: [2, LONG, 4, LONG, 6, LONG, LONG, 8], pages: [5, 3, 1] },
  { title: "very long ones, one in each page", lengths: [2 * LONG, 2 * LONG, 2], pages: [2, 1, 1] },
];

describe("A closed conversation is read for its replica", () => {
  let shim: SqlJsShim;
  before(async () => {
    shim = await loadSqlJs(SQL_JS_FILE, { ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined });
  });

  const closedFile = (folder: string): ClosedFile =>
    new ClosedFile({
      id: ID,
      folder,
      shim,
      hold: () => Promise.resolve(ok({ leaseFile: folder, release: () => Promise.resolve() })),
      create: (): Promise<Result<void, never>> => Promise.resolve(ok(undefined)),
      countTokens: () => Promise.resolve(TOKENS),
      nowMs: () => 0,
      pause: () => Promise.resolve(),
    });

  for (const { title, lengths, pages } of CASES) {
    for (const isReleased of [false, true]) {
      it(`with ${title}, ${isReleased ? "opened anew" : "from its log"}`, async () => {
        const folder = temporaryFolder();
        const file = closedFile(folder.path);
        const messages = messagesOf(lengths);
        const stored = await file.commit([TITLE, ...messages]);
        if (isReleased) await file.release();
        const records: PublishedRecord[] = [];
        const counts: number[] = [];
        for (;;) {
          const page = await file.read(records.length);
          assert.ok(page.ok, JSON.stringify(page));
          if (page.value.length === 0) break;
          records.push(...page.value);
          counts.push(page.value.length);
        }
        await file.release();
        folder.remove();
        assert.deepEqual(
          { stored, records: records.map(withText), counts },
          { stored: ok("stored"), records: [TITLE, ...messages.map(asStored)], counts: pages },
        );
      });
    }
  }

  it("with what was stored since it was read", async () => {
    const folder = temporaryFolder();
    const file = closedFile(folder.path);
    const messages = messagesOf([2, 4, 6]);
    const counts: number[] = [];
    for (const [at, record] of messages.entries()) {
      await file.commit([record]);
      const read = await file.read(0);
      counts.push(read.ok ? read.value.length : -1);
      if (at === 1) await file.release();
    }
    await file.release();
    folder.remove();
    assert.deepEqual(counts, [1, 2, 3]);
  });

  it("not at all when it is of a newer Forge, which is left as it was", async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, DATABASE_FILE);
    const file = closedFile(folder.path);
    await file.commit(messagesOf([2, 4]));
    await file.release();
    const bytes = readFileSync(path);
    bytes.writeInt32BE(SCHEMA_VERSION + 1, USER_VERSION_AT);
    writeFileSync(path, bytes);
    const read = await file.read(0);
    await file.release();
    const left = readFileSync(path);
    folder.remove();
    assert.deepEqual([read, left.equals(bytes)], [err(newerVersion(SCHEMA_VERSION + 1)), true]);
  });

  it("without a word that was changed on the disk", async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, DATABASE_FILE);
    const file = closedFile(folder.path);
    const messages = messagesOf([6_000, 2_000, 8_000]);
    await file.commit(messages);
    await file.release();
    const whole = readFileSync(path);
    const found = new Set<string>();
    for (let at = whole.indexOf(WORD); at >= 0; at = whole.indexOf(WORD, at + 397)) {
      const bytes = Buffer.from(whole);
      bytes.write("ä", at);
      writeFileSync(path, bytes);
      const read = await file.read(0);
      await file.release();
      if (read.ok) {
        assert.deepEqual(read.value.map(withText), messages.map(asStored), "it is of an earlier form of the page");
        continue;
      }
      assert.ok(read.error.code === "STORAGE_FAILED", JSON.stringify(read));
      found.add(`${read.error.reason}: ${read.error.detail}`);
    }
    folder.remove();
    assert.deepEqual([...found].sort(), ["damaged: message 0", "damaged: message 1", "damaged: message 2"]);
  });
});

function asStored(record: ConversationRecord): unknown {
  return record.kind === "message"
    ? { kind: "entry", entry: record.entry, json: JSON.stringify(record.message) }
    : record;
}

function withText(record: PublishedRecord): unknown {
  return record.kind === "entry" ? { ...record, json: Buffer.from(record.json).toString() } : record;
}
