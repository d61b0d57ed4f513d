/** The full-text index when something goes wrong, when it is new, and when there is time for it. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { configure, migrate, MIGRATIONS } from "../../../src/adapters/sqlite/schema.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/shim/fileCalls.ts";
import { openSqlJsEngine } from "../../../src/adapters/sqlite/sqlJsEngine.ts";
import { loadSqlJs } from "../../../src/adapters/sqlite/sqlJsShim.ts";
import { messageId } from "../../../src/core/ids.ts";
import { FaultyCalls } from "../../support/faultyCalls.ts";
import { LocalStores, type LocalStore } from "../../support/localStore.ts";
import { indexedIn, STORY_QUERIES, storyText } from "../../support/searchStories.ts";
import { judge } from "../../support/nativeJudge.ts";
import { openStore, SQL_JS_FILE } from "../../support/sqliteStore.ts";
import { addMessage, messageRecord, temporaryFolder } from "../../support/storeBuilders.ts";

const DATABASE = "conversation.sqlite";
describe("the full-text index among other things", function () {
  this.timeout(60_000);
  let stores: LocalStores;
  let folder: ReturnType<typeof temporaryFolder>;
  before(async () => {
    const quick = { ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined };
    stores = await LocalStores.load(new FaultyCalls(quick));
  });
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    stores.faults.restart();
    folder.remove();
    assert.equal(stores.openFiles, 0, "a file was left open");
  });
  const file = (): string => join(folder.path, DATABASE);
  const open = (path = folder.path): LocalStore => {
    const opened = stores.open(path);
    assert.ok(opened.ok, JSON.stringify(opened));
    return opened.value;
  };
  const add = (store: LocalStore, from: number, count: number): void => {
    const writes = Array.from({ length: count }, (_, index) => addMessage(from + index, storyText(from + index)));
    assert.ok(store.commit(writes).ok);
  };
  const find = (store: LocalStore, query: string, limit = 1_000): readonly number[] => {
    const found = store.search(query, { limit });
    assert.ok(found.ok, JSON.stringify(found));
    return found.value.map(({ id }) => id);
  };
  const findAll = (store: LocalStore) => STORY_QUERIES.map((query) => find(store, query));

  it("is never the reason why something is not stored, or not found", () => {
    for (const code of ["ENOSPC", "EIO"]) {
      const store = open();
      const from = store.shape.messageCount;
      add(store, from, 200);
      const expected = findAll(store);
      stores.faults.restart(({ name }) => (name === "write" || name === "sync" ? code : undefined));
      assert.equal(store.fillIndex(), 1, "it stops at the first failure");
      stores.faults.restart();
      assert.deepEqual(findAll(store), expected, code);
      assert.ok(store.commit([addMessage(from + 200, "after")]).ok, code);
      store.fillIndex();
      assert.deepEqual(findAll(store), expected, code);
      store.close();
      assert.equal(indexedIn(folder.path), from + 201);
    }
  });

  it("is in nobody's way, whichever file call of its filling fails, once or for good", () => {
    const store = open();
    add(store, 0, 60);
    store.close();
    const sound = new Map(readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name))]));
    const attempt = (failing: number, isForGood: boolean): number => {
      for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name));
      for (const [name, bytes] of sound) writeFileSync(join(folder.path, name), bytes);
      const tried = open();
      stores.faults.restart(({ index }) => (index === failing || (isForGood && index > failing) ? "EIO" : undefined));
      tried.fillIndex();
      const { count } = stores.faults;
      stores.faults.restart();
      const what = `call ${failing}${isForGood ? " and all after it" : ""}`;
      assert.ok(tried.commit([addMessage(60, "a newcomer")]).ok, what);
      for (const query of ["newcomer", "number7"])
        assert.equal(find(tried, query)[0], query === "number7" ? 7 : 60, what);
      tried.close();
      const again = open();
      again.fillIndex();
      assert.deepEqual([find(again, "newcomer"), find(again, "number7")[0]], [[60], 7], what);
      again.close();
      assert.deepEqual([judge(folder.path).integrity, judge(folder.path).messages], ["ok", 61], what);
      return count;
    };
    const calls = attempt(Infinity, false);
    assert.ok(calls > 5);
    for (let failing = 0; failing < calls; failing++) {
      attempt(failing, false);
      attempt(failing, true);
    }
  });

  it("is not filled once the conversation was taken over", () => {
    const lease = join(folder.path, "lease.1");
    const opened = stores.open(folder.path, lease);
    assert.ok(opened.ok);
    writeFileSync(lease, "{}");
    add(opened.value, 0, 20);
    const before = readFileSync(`${file()}-wal`);
    rmSync(lease);
    assert.equal(opened.value.fillIndex(), 1);
    opened.value.close();
    assert.deepEqual(readFileSync(`${file()}-wal`), before);
  });

  it("is done without when it is damaged, and nobody is bothered", async () => {
    const store = open();
    add(store, 0, 100);
    const expected = findAll(store);
    store.fillIndex();
    store.close();
    const engine = openSqlJsEngine(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), file());
    configure(engine);
    engine.exec("UPDATE search_segdir SET root = x'ffffffffffffffff', start_block = 0, end_block = 0");
    engine.close();
    const again = open();
    assert.deepEqual(findAll(again), expected);
    add(again, 100, 10);
    assert.equal(again.fillIndex(), 1);
    assert.deepEqual(find(again, "number105"), [105]);
    again.close();
  });

  it("is made for a conversation of the first version, which keeps all that it has", async () => {
    const engine = openSqlJsEngine(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), file());
    configure(engine);
    migrate(engine, MIGRATIONS.slice(0, 1));
    engine.close();
    const first = new DatabaseSync(file());
    assert.equal(first.prepare("PRAGMA user_version").get()?.["user_version"], 1);
    first.close();
    const store = open();
    store.commit([{ kind: "draft", text: "a draft" }]);
    add(store, 0, 30);
    store.fillIndex();
    assert.deepEqual(find(store, "number7"), [7]);
    store.close();
    const again = open();
    assert.equal(again.shape.draft, "a draft");
    const read = again.readMessages([messageId(7)]);
    assert.deepEqual(read.ok && read.value[0]?.message, messageRecord(7, storyText(7)).message);
    again.close();
  });

  it("is filled by itself when nobody asks for anything, and not before", async () => {
    const store = await openStore(folder.path);
    await store.commit(Array.from({ length: 50 }, (_, id) => addMessage(id, storyText(id))));
    assert.equal(indexedIn(folder.path), 0);
    for (let waited = 0; indexedIn(folder.path) !== 50; waited++) {
      assert.ok(waited < 200, "it was not filled");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const found = await store.search("number7", { limit: 5 });
    assert.deepEqual(found.ok && found.value.map(({ id }) => id), [7]);
    await store.close();
  });

  it("answers commits while it searches, and says of a search that it was cut short by closing", async () => {
    const store = await openStore(folder.path);
    await store.commit(
      Array.from({ length: 400 }, (_, id) => addMessage(id, `${storyText(id)} ${"filler ".repeat(500)}`)),
    );
    const order: string[] = [];
    const search = store.search("=>", { limit: 3 }).then((found) => {
      order.push("search");
      return found;
    });
    for (let id = 400; id < 403; id++) await store.commit([addMessage(id)]).then(() => order.push("commit"));
    assert.ok((await search).ok);
    assert.equal(order[0], "commit", "a commit does not wait for a search");
    const cut = store.search("=>", { limit: 3 });
    await store.close();
    const ended = await cut;
    assert.equal(ended.ok ? "found" : ended.error.reason, "workerDied");
  });
});
