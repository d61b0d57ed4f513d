import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openConversationStore } from "../../../src/adapters/sqlite/conversationStore.ts";
import { configure } from "../../../src/adapters/sqlite/schema.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../../../src/adapters/sqlite/engine/sqlJsEngine.ts";
import { loadSqlJs } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { storageFailed, type StorageFailed } from "../../../src/core/errors.ts";
import { messageId } from "../../../src/core/ids.ts";
import type { Result } from "../../../src/core/result.ts";
import { skip } from "../../support/skipped.ts";
import type { FileCall } from "../../support/storage/faultyCalls.ts";
import { LocalStores } from "../../support/storage/localStore.ts";
import { openStore, SQL_JS_FILE, storeOptions } from "../../support/storage/sqliteStore.ts";
import { addMessage, addRow, step, temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { filesIn } from "../../support/storage/moments.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";

const DATABASE = "conversation.sqlite";
const reasonOf = (result: Result<unknown, StorageFailed>): string => (result.ok ? "ok" : result.error.reason);
function writeAt(path: string, bytes: Uint8Array, position: number): void {
  const handle = openSync(path, "r+");
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}
const WRITING: readonly string[] = ["write", "sync", "syncFolder", "truncate", "unlink", "rename", "linkOrCopy"];
const isWal = ({ path }: FileCall): boolean => path.endsWith("-wal");

describe("failing store", () => {
  const suite = useLocalStores(() => LocalStores.load());
  const { open } = suite;

  const faults: readonly [what: string, name: FileCall["name"], code: string, expected: StorageFailed["reason"]][] = [
    ["a full disk", "write", "ENOSPC", "diskFull"],
    ["an exhausted quota", "write", "EDQUOT", "diskFull"],
    ["a broken disk", "write", "EIO", "ioError"],
    ["a failed sync", "sync", "EIO", "ioError"],
    ["a disk that became read-only", "write", "EROFS", "readOnly"],
  ];
  for (const [what, name, code, expected] of faults) {
    it(`rejects the whole group on ${what}, refuses the step, and works again afterwards`, () => {
      const store = open();
      assert.equal(reasonOf(store.commit([addRow(step(1), 0), addRow(step(2), 0)])), "ok");
      suite.stores.faults.restart((call) => (call.name === name && isWal(call) ? code : undefined));
      const group = [[addRow(step(1), 1)], [addMessage(0)], [{ kind: "draft", text: "lost" } as const]];
      assert.deepEqual(store.commitTogether(group), Array(3).fill(expected));
      suite.stores.faults.restart();
      assert.equal(reasonOf(store.commit([addRow(step(1), 2)])), expected, "the step has a gap");
      assert.equal(reasonOf(store.commit([addRow(step(2), 1)])), "ok", "another step goes on");
      assert.equal(
        reasonOf(store.commit([addMessage(0, "again", step(1)), { kind: "journalDrop", stepId: step(1) }])),
        "ok",
      );
      assert.equal(reasonOf(store.commit([addRow(step(1), 0)])), "ok", "a dropped step may begin anew");
      assert.equal(reasonOf(store.close()), "ok");
      const again = open();
      const { messageCount, draft, journal } = again.shape;
      again.close();
      assert.deepEqual([messageCount, draft, journal.length], [1, "", 3]);
    });
  }

  for (const code of ["EIO", "ENOSPC", "EDQUOT"]) {
    it(`is consistent after a crash that follows refused commits and a smaller successful one (${code})`, () => {
      const store = open();
      store.commit([addMessage(0)]);
      suite.stores.faults.restart((call) => (call.name === "sync" && isWal(call) ? code : undefined));
      const refused = [
        [addMessage(1, "x".repeat(16_000)), addMessage(2, "x".repeat(12_000))],
        [addMessage(1, "y".repeat(12_000))],
      ];
      for (const writes of refused) assert.notEqual(reasonOf(store.commit(writes)), "ok");
      suite.stores.faults.restart();
      assert.equal(reasonOf(store.commit([{ kind: "draft", text: "kept" }])), "ok");
      const killed = temporaryFolder();
      cpSync(suite.path, killed.path, { recursive: true });
      store.close();
      const again = open(killed.path);
      const { messageCount, draft } = again.shape;
      again.close();
      killed.remove();
      assert.deepEqual([messageCount, draft], [1, "kept"]);
    });
  }

  it("reports that its file was removed", () => {
    const store = open();
    rmSync(suite.file);
    assert.equal(reasonOf(store.commit([addMessage(0)])), "fileGone");
    store.close();
  });

  it("reports that another file replaced its file", () => {
    const store = open();
    copyFileSync(suite.file, `${suite.file}.copy`);
    rmSync(suite.file);
    copyFileSync(`${suite.file}.copy`, suite.file);
    assert.equal(reasonOf(store.commit([addMessage(0)])), "fileGone");
    store.close();
  });

  it("writes nothing after another process has taken over the conversation", () => {
    const leaseFile = join(suite.path, "lease.1");
    writeFileSync(leaseFile, "{}");
    const opened = suite.stores.open(suite.path, leaseFile);
    assert.ok(opened.ok);
    assert.equal(reasonOf(opened.value.commit([addMessage(0)])), "ok");
    rmSync(leaseFile);
    const sizes = (): readonly number[] => readdirSync(suite.path).map((name) => statSync(join(suite.path, name)).size);
    const before = sizes();
    const refused = opened.value.commit([addMessage(1)]);
    assert.match(refused.ok ? "" : refused.error.detail, /taken over/);
    opened.value.close();
    assert.deepEqual(sizes(), before, "closing writes nothing either");
  });

  const openings: readonly [what: string, code: string, expected: StorageFailed["reason"]][] = [
    ["is not permitted", "EACCES", "noPermission"],
    ["fails on a full disk", "ENOSPC", "diskFull"],
    ["fails on a read-only disk", "EROFS", "readOnly"],
    ["finds no free file handle", "EMFILE", "ioError"],
  ];
  for (const [what, code, expected] of openings) {
    it(`reports that opening ${what}`, () => {
      suite.stores.faults.restart((call) => (call.name === "open" ? code : undefined));
      assert.equal(reasonOf(suite.stores.open(suite.path)), expected);
    });
  }

  for (const [what, content] of [
    ["an empty file", ""],
    ["a file of one byte", "S"],
  ] as const) {
    it(`S2 does not open ${what} as a new conversation when messages were stored in it`, () => {
      writeFileSync(suite.file, content);
      writeFileSync(join(suite.path, "meta.json"), JSON.stringify({ messageCount: 3 }));
      assert.equal(reasonOf(suite.stores.open(suite.path)), "damaged");
      assert.equal(statSync(suite.file).size, content.length);
    });
  }

  it("S2 opens an empty file as new when nothing was stored in it", () => {
    writeFileSync(suite.file, "");
    writeFileSync(join(suite.path, "meta.json"), JSON.stringify({ messageCount: 0 }));
    const store = open();
    assert.equal(reasonOf(store.commit([addMessage(0)])), "ok");
    store.close();
  });

  it("S19 does not wait for a named pipe in the place of the database", function () {
    if (process.platform === "win32") skip(this, "there are no named pipes in folders");
    execFileSync("mkfifo", [suite.file]);
    assert.notEqual(reasonOf(suite.stores.open(suite.path)), "ok");
  });

  /** Far beyond what could be read within a second, in few reads; sparse, so it takes no room. */
  const CLAIMED_BYTES = 2 ** 40;
  const MOST_READS = 50_000;
  const sparse: readonly [what: string, change: (wal: string) => void][] = [
    ["zeros", (wal) => writeFileSync(wal, "")],
    ["its commits, then zeros", () => undefined],
    ["its commits without their header", (wal) => writeAt(wal, Buffer.alloc(32, 7), 0)],
    ["its commits, and other bytes far away", (wal) => writeAt(wal, Buffer.alloc(8_192, 7), CLAIMED_BYTES / 2)],
  ];
  for (const [what, change] of sparse) {
    it(`S19 opens a database beside a sparse log of a terabyte, ${what}, without reading it whole`, () => {
      const store = open();
      for (let id = 0; id < 5; id++) store.commit([addMessage(id)]);
      const log = readFileSync(`${suite.file}-wal`);
      store.close();
      writeFileSync(`${suite.file}-wal`, log);
      change(`${suite.file}-wal`);
      truncateSync(`${suite.file}-wal`, CLAIMED_BYTES);
      suite.stores.faults.restart();
      const again = open();
      assert.ok(suite.stores.faults.count < MOST_READS);
      assert.deepEqual([again.shape.messageCount, again.close().ok], [5, true]);
    });
  }

  it("S19 opens a sparse database of a terabyte without reading it whole", () => {
    const store = open();
    store.commit([addMessage(0)]);
    store.close();
    truncateSync(suite.file, CLAIMED_BYTES);
    suite.stores.faults.restart();
    const again = open();
    assert.ok(suite.stores.faults.count < MOST_READS);
    assert.deepEqual([again.shape.messageCount, again.close().ok], [1, true]);
  });

  for (const isKilled of [false, true]) {
    it(`S19 reads a conversation without a write where none is possible, ${isKilled ? "after a kill" : "closed"}`, () => {
      const unwritable = storageFailed("ENOSPC", "no space left");
      const store = open();
      for (let id = 0; id < 5; id++) store.commit([addMessage(id)]);
      const killed = filesIn(suite.path);
      store.close();
      if (isKilled)
        for (const [name, content] of Object.entries(killed)) writeFileSync(join(suite.path, name), content, "base64");
      const before = filesIn(suite.path);
      suite.stores.faults.restart(({ name }) => (WRITING.includes(name) ? "ENOSPC" : undefined));
      const opened = suite.stores.open(suite.path, undefined, unwritable);
      assert.ok(opened.ok);
      const { shape } = opened.value;
      const read = opened.value.readMessages([messageId(4)]);
      assert.deepEqual([shape.messageCount, shape.readOnly, read.ok], [5, "diskFull", true]);
      assert.deepEqual(opened.value.commit([addMessage(5)]), { ok: false, error: unwritable });
      assert.ok(opened.value.close().ok);
      assert.deepEqual(filesIn(suite.path), before);
    });
  }

  it("S19 creates nothing where no write is possible", () => {
    const unwritable = storageFailed("EROFS", "read-only file system");
    assert.deepEqual(suite.stores.open(suite.path, undefined, unwritable), { ok: false, error: unwritable });
    assert.deepEqual(filesIn(suite.path), {});
  });

  it("leaves a file that is not a database unchanged", () => {
    writeFileSync(suite.file, "no database ".repeat(1_000));
    assert.equal(reasonOf(suite.stores.open(suite.path)), "damaged");
    assert.equal(statSync(suite.file).size, 12_000);
  });

  it("does not return text changed by a flipped byte", async () => {
    const store = open();
    store.commit([addMessage(0)]);
    store.close();
    const engine = openSqlJsEngine(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), suite.file);
    configure(engine);
    engine.exec("DROP TRIGGER message_no_update; UPDATE message SET body = replace(body, 'message 0', 'massage 0')");
    engine.close();
    const again = open();
    assert.equal(reasonOf(again.readMessages([messageId(0)])), "damaged");
    again.close();
  });

  it("creates files that only the user can read", () => {
    const store = open();
    store.commit([addMessage(0)]);
    for (const name of readdirSync(suite.path))
      assert.equal(statSync(join(suite.path, name)).mode & 0o777, 0o600, name);
    store.close();
  });

  it("syncs the folder after creating a file in it and before the first acknowledgement", () => {
    const order: string[] = [];
    suite.stores.faults.restart(({ name, path }) => {
      if (name === "syncFolder" || (name === "sync" && path !== ""))
        order.push(name === "sync" ? path.slice(path.indexOf(DATABASE)) : name);
      return undefined;
    });
    const store = open();
    assert.ok(order.includes("syncFolder"));
    assert.equal(order.at(-1), "syncFolder", "nothing stays unsynced when the opening is reported");
    store.close();
  });

  it("syncs a new log once for its first commit, and one that begins again before that", () => {
    const first = open();
    first.commit([addMessage(0)]);
    first.close();
    const store = open();
    const syncs = (): readonly string[] => {
      const order: string[] = [];
      suite.stores.faults.restart(({ name, path }) => {
        if (name === "sync" || name === "syncFolder")
          order.push(name === "sync" ? path.slice(path.indexOf(DATABASE)) : name);
        return undefined;
      });
      return order;
    };
    const made = syncs();
    store.commit([addMessage(1)]);
    assert.deepEqual(made, [`${DATABASE}-wal`, "syncFolder"]);
    const followed = syncs();
    store.commit([addMessage(2)]);
    assert.deepEqual(followed, [`${DATABASE}-wal`]);
    store.commit([addMessage(3, "x".repeat(5_000_000))]); // more than the log holds
    const begunAgain = syncs();
    store.commit([addMessage(4)]);
    assert.deepEqual(begunAgain, [`${DATABASE}-wal`, `${DATABASE}-wal`]);
    store.close();
  });
});

describe("failing storage worker", function () {
  this.timeout(20_000);
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });

  it("is reported when it cannot start", async () => {
    const opened = await openConversationStore({
      ...storeOptions(folder.path),
      workerFile: join(folder.path, "none.js"),
    });
    assert.equal(reasonOf(opened), "workerDied");
  });

  it("is reported when the library has an unknown version", async () => {
    const changed = join(folder.path, "sql.js");
    writeFileSync(
      changed,
      "module.exports = (options) => new Promise(() => options.instantiateWasm({ env: { fd_write() {} } }, () => 0));",
    );
    writeFileSync(join(folder.path, "sql.wasm"), "");
    const opened = await openConversationStore({ ...storeOptions(folder.path), sqlJsFile: changed });
    assert.equal(reasonOf(opened), "engineChanged");
  });

  for (const how of ["dies", "hangs"] as const) {
    it(`has all its pending requests rejected when it ${how}, and can be closed`, async () => {
      const workerFile = new URL("../../support/storage/failingWorker.ts", import.meta.url).pathname;
      const store = await openStore(folder.path, { workerFile, silenceLimitMs: 1_500, closeLimitMs: 500 });
      assert.equal(reasonOf(await store.commit([{ kind: "draft", text: "fine" }])), "ok");
      const waiting = [
        store.commit([{ kind: "draft", text: how }]),
        store.readIndex(0, 1),
        store.commit([addMessage(0)]),
      ];
      assert.deepEqual((await Promise.all(waiting)).map(reasonOf), Array(3).fill("workerDied"));
      assert.equal(reasonOf(await store.commit([addMessage(0)])), "workerDied");
      assert.equal(reasonOf(await store.close()), "ok", "the thread is gone");
      const again = await openStore(folder.path);
      assert.equal(again.shape.draft, "fine");
      await again.close();
    });
  }

  it("closes within a time limit", async () => {
    const workerFile = new URL("../../support/storage/failingWorker.ts", import.meta.url).pathname;
    const store = await openStore(folder.path, { workerFile, closeLimitMs: 200 });
    const lost = store.commit([{ kind: "draft", text: "hangs" }]);
    const began = performance.now();
    assert.equal(reasonOf(await store.close()), "ok");
    assert.ok(performance.now() - began < 5_000);
    assert.equal(reasonOf(await lost), "workerDied");
  });
});
