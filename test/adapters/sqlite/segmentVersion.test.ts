/** A file has version 3 from its first segment on: an earlier Forge, which knows version 2, only reads it then. */

import assert from "node:assert/strict";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { ClosedConversation } from "../../../src/adapters/sqlite/search/closedConversation.ts";
import type { SegmentRecord } from "../../../src/core/history/records.ts";
import { messageId } from "../../../src/core/ids.ts";
import type { StoreWrite } from "../../../src/core/store/conversationStore.ts";
import { erasureOf } from "../../contracts/eraseCases.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";
import { judge } from "../../support/storage/nativeJudge.ts";
import { makeVersion } from "../../support/storage/schemaVersions.ts";
import { SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { addMessage } from "../../support/storage/storeBuilders.ts";

const info = { hash: "1".repeat(32), writer: "1".repeat(16), sequence: 0, epoch: 1, after: [], count: 1, machine: "a" };
const record: SegmentRecord = {
  kind: "segment",
  segment: info,
  runs: [{ number: 0, index: 0, count: 1 }],
  publishedTo: 1,
};
const SEGMENT: StoreWrite = { kind: "record", record };
const STORED = { ok: true, value: undefined };

describe("the version of a file with segments", () => {
  const suite = useLocalStores();
  let copies = 0;
  /** As another program reads it now. */
  const versionOf = (folder = suite.path): unknown => {
    const copy = join(suite.path, `copy-${String(copies++)}`);
    mkdirSync(copy);
    for (const name of ["conversation.sqlite", "conversation.sqlite-wal"])
      if (nodeFileCalls.find(join(folder, name)) !== undefined) cpSync(join(folder, name), join(copy, name));
    const database = new DatabaseSync(join(copy, "conversation.sqlite"));
    try {
      return database.prepare("PRAGMA user_version").get()?.["user_version"];
    } finally {
      database.close();
    }
  };
  const kindsIn = (folder = suite.path): readonly string[] => {
    const store = suite.open(folder);
    const read = store.readIndex(0, 100);
    assert.ok(read.ok && store.shape.readOnly === undefined);
    store.close();
    return read.value.map(({ kind }) => kind);
  };

  it("is 2 until the first one is stored, then 3, at once and after a restart", () => {
    const store = suite.open();
    assert.deepEqual(store.commit([addMessage(0)]), STORED);
    assert.equal(versionOf(), 2);
    assert.deepEqual(store.commit([SEGMENT]), STORED);
    assert.equal(versionOf(), 3, "in the log already");
    assert.deepEqual(store.commit([addMessage(1)]), STORED);
    store.close();
    assert.equal(versionOf(), 3);
    assert.deepEqual(kindsIn(), ["entry", "segment", "entry"]);
    assert.equal(judge(suite.path).integrity, "ok");
  });

  for (const version of [1, 2, 3]) {
    it(`becomes 3 in a file of version ${String(version)}, which is read and written as before`, async () => {
      makeVersion(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), suite.path, version, 2);
      assert.deepEqual(kindsIn(), ["entry", "entry"]);
      assert.equal(versionOf(), Math.max(2, version));
      const store = suite.open();
      assert.deepEqual(store.commit([SEGMENT, addMessage(2)]), STORED);
      store.close();
      assert.equal(versionOf(), 3);
      assert.deepEqual(kindsIn(), ["entry", "entry", "segment", "entry"]);
    });
  }

  it("changes with the segment or not at all, whichever file call fails", () => {
    let failed = 0;
    for (let failing = 0; ; failing++) {
      const folder = join(suite.path, String(failing));
      mkdirSync(folder);
      let store = suite.open(folder);
      store.commit([addMessage(0)]);
      suite.stores.faults.restart(({ index }) => (index === failing ? "EIO" : undefined));
      const stored = store.commit([SEGMENT, addMessage(1)]);
      const isOver = stored.ok && suite.stores.faults.count <= failing;
      suite.stores.faults.restart();
      if (!stored.ok) {
        failed++;
        assert.deepEqual(store.commit([addMessage(1)]), STORED);
        assert.equal(versionOf(folder), 2);
        assert.deepEqual(store.commit([SEGMENT]), STORED);
      }
      assert.equal(versionOf(folder), 3);
      store.close();
      store = suite.open(folder);
      store.close();
      if (isOver) break;
    }
    assert.ok(failed > 0);
  });

  it("stays through an erasure, also for a segment that is stored meanwhile", () => {
    for (const when of ["before", "meanwhile", "never"]) {
      const folder = join(suite.path, when);
      mkdirSync(folder);
      const store = suite.open(folder);
      store.commit([addMessage(0), addMessage(1)]);
      if (when === "before") store.commit([SEGMENT]);
      const erased = store.eraseInSlices(
        erasureOf([0], (id) => `message ${String(id)}`),
        (slice) => {
          if (when === "meanwhile" && slice === 0) assert.deepEqual(store.commit([SEGMENT]), STORED);
        },
      );
      assert.deepEqual(erased, STORED);
      store.close();
      assert.equal(versionOf(folder), when === "never" ? 2 : 3, when);
      const kinds = ["entry", "entry", ...(when === "never" ? [] : ["segment"]), "erasure"];
      assert.deepEqual(kindsIn(folder), kinds);
    }
  });

  it("is 2 again in a fork, which has no segments and can be written by an earlier Forge", () => {
    const store = suite.open();
    store.commit([addMessage(0), SEGMENT, addMessage(1), SEGMENT, addMessage(2), SEGMENT]);
    const fork = join(suite.path, "fork");
    mkdirSync(fork);
    assert.deepEqual(store.fork({ end: messageId(2), records: [] }, join(fork, "conversation.sqlite")), STORED);
    store.close();
    assert.equal(versionOf(fork), 2);
    assert.deepEqual(kindsIn(fork), ["entry", "title", "entry", "title"]);
  });

  it("leaves the index of a closed conversation of use", async () => {
    const store = suite.open();
    store.commit([addMessage(0), SEGMENT]);
    store.fillIndex();
    store.close();
    const closed = ClosedConversation.open(suite.path, await loadSqlJs(SQL_JS_FILE, nodeFileCalls));
    assert.ok(closed);
    assert.equal(closed.ownIndex().indexedCount, 1);
    closed.close();
  });
});
