import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../../../src/adapters/sqlite/engine/sqlJsEngine.ts";
import { loadSqlJs, type SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { recordChecksum } from "../../../src/adapters/sqlite/rowCodec.ts";
import { configure, SCHEMA_VERSION } from "../../../src/adapters/sqlite/schema.ts";
import { messageId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import { erasureOf } from "../../contracts/eraseCases.ts";
import { LocalStores, type LocalStore } from "../../support/storage/localStore.ts";
import { makeVersion } from "../../support/storage/schemaVersions.ts";
import { openStore, SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { addMessage, temporaryFolder } from "../../support/storage/storeBuilders.ts";

const DATABASE = "conversation.sqlite";
const MESSAGES = 12;

describe("file written by a newer Forge", () => {
  let stores: LocalStores;
  let shim: SqlJsShim;
  let folder: ReturnType<typeof temporaryFolder>;
  before(async () => {
    stores = await LocalStores.load();
    shim = await loadSqlJs(SQL_JS_FILE, nodeFileCalls);
  });
  beforeEach(() => {
    folder = temporaryFolder();
    makeVersion(shim, folder.path, SCHEMA_VERSION + 1, MESSAGES);
  });
  afterEach(() => {
    stores.faults.restart();
    folder.remove();
    assert.equal(stores.openFiles, 0, "a file was left open");
  });
  /** Changes the file as the newer Forge would. */
  const change = (sql: string): void => {
    const engine = openSqlJsEngine(shim, join(folder.path, DATABASE));
    configure(engine);
    engine.exec(sql);
    engine.close();
  };
  const content = () => new Map(readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name))]));
  const open = (): LocalStore => {
    const opened = stores.open(folder.path);
    assert.ok(opened.ok, JSON.stringify(opened));
    return opened.value;
  };
  /** Reads, searches and tries all changes: these must be refused, and no file may change. */
  const use = (messages: number): void => {
    const before = content();
    const changing: string[] = [];
    stores.faults.restart(({ name, path }) => {
      if (["write", "truncate", "unlink", "rename", "linkOrCopy", "sync"].includes(name))
        changing.push(`${name} ${path}`);
      return undefined;
    });
    const store = open();
    assert.deepEqual([store.shape.readOnly, store.shape.messageCount], ["newerVersion", messages]);
    const read = store.readMessages(Array.from({ length: messages }, (_, id) => messageId(id)));
    assert.ok(read.ok && read.value.every(({ entry, message }) => textOf(message).startsWith(`text ${entry.id} `)));
    const index = store.readIndex(0, 1_000);
    assert.deepEqual(index.ok && index.value.map(({ kind }) => kind), Array(messages).fill("entry"));
    const found = store.search("text 7", { limit: 1 });
    assert.deepEqual(found.ok && found.value.map(({ id }) => id), [7]);
    assert.equal(store.fillIndex(), 1);
    const refused = [
      store.commit([addMessage(messages)]),
      store.commit([{ kind: "draft", text: "lost" }]),
      store.erase(erasureOf([1], () => "")),
    ];
    assert.deepEqual(
      refused.map((result) => (result.ok ? "" : result.error.reason)),
      Array(3).fill("newerVersion"),
    );
    assert.ok(store.close().ok);
    assert.deepEqual(changing, []);
    assert.deepEqual(content(), before);
  };

  it("is read and searched without changing a byte", () => {
    use(MESSAGES);
    use(MESSAGES);
  });

  it("is read with the log left by a crash", () => {
    const sound = temporaryFolder();
    const engine = openSqlJsEngine(shim, join(folder.path, DATABASE));
    configure(engine);
    engine.exec("DELETE FROM extra");
    cpSync(folder.path, sound.path, { recursive: true });
    engine.close();
    folder.remove();
    cpSync(sound.path, folder.path, { recursive: true });
    sound.remove();
    assert.ok((content().get(`${DATABASE}-wal`)?.length ?? 0) > 0);
    use(MESSAGES);
  });

  it("is recognized by the log alone after a crash", () => {
    const old = temporaryFolder();
    makeVersion(shim, old.path, SCHEMA_VERSION, MESSAGES);
    const engine = openSqlJsEngine(shim, join(old.path, DATABASE));
    configure(engine);
    engine.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    folder.remove();
    cpSync(old.path, folder.path, { recursive: true });
    engine.close();
    old.remove();
    use(MESSAGES);
  });

  it("shows no record of an unknown kind", () => {
    const body = JSON.stringify({ kind: "hologram", atMs: 1 });
    change(`INSERT INTO record VALUES(${MESSAGES}, 'hologram', '${body}', ${recordChecksum(MESSAGES, body)})`);
    use(MESSAGES);
  });

  it("is not opened when known parts are missing, and stays unchanged", () => {
    for (const sql of ["DROP TABLE draft", "ALTER TABLE message RENAME COLUMN body TO content"]) {
      change(sql);
      const before = content();
      const opened = stores.open(folder.path);
      assert.equal(opened.ok ? "opened" : opened.error.reason, "newerVersion", sql);
      assert.deepEqual(content(), before, sql);
    }
  });

  it("is not reported as damaged when it is written differently", () => {
    change("DROP TRIGGER message_no_update; UPDATE message SET checksum = checksum + 1");
    const store = open();
    const read = store.readMessages([messageId(0)]);
    assert.equal(read.ok ? "" : read.error.reason, "newerVersion");
    store.close();
  });

  it("does not change how later files are written", () => {
    const other = temporaryFolder();
    open().close();
    const synced: string[] = [];
    stores.faults.restart(({ name, path }) => {
      if (name === "syncFolder") synced.push(path);
      return undefined;
    });
    const opened = stores.open(other.path);
    assert.ok(opened.ok && opened.value.commit([addMessage(0)]).ok);
    opened.value.close();
    assert.ok(synced.includes(other.path) && synced.length > 1, "folders are synced");
    other.remove();
  });

  it("is opened through the worker thread in the same way", async () => {
    const before = content();
    const store = await openStore(folder.path);
    assert.equal(store.shape.readOnly, "newerVersion");
    const found = await store.search("text 7", { limit: 1 });
    assert.deepEqual(found.ok && found.value.map(({ id }) => id), [7]);
    const refused = await store.commit([{ kind: "draft", text: "lost" }]);
    assert.equal(refused.ok ? "" : refused.error.reason, "newerVersion");
    assert.ok((await store.close()).ok);
    assert.deepEqual(content(), before);
  });
});
