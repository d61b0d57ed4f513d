import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { configure, migrate, MIGRATIONS } from "../../../src/adapters/sqlite/schema.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../../../src/adapters/sqlite/engine/sqlJsEngine.ts";
import { loadSqlJs } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { messageId } from "../../../src/core/ids.ts";
import { judge } from "../../support/storage/nativeJudge.ts";
import { openStore, SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { addMessage, messageRecord } from "../../support/storage/storeBuilders.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";
import { addStories, findAllStories, findStories, indexedIn, storyText } from "../../support/session/searchStories.ts";

describe("the full-text index beside other work", function () {
  this.timeout(60_000);
  const suite = useLocalStores();
  const { open } = suite;

  it("never prevents storing or finding a message", () => {
    for (const code of ["ENOSPC", "EIO"]) {
      const store = open();
      const from = store.shape.messageCount;
      addStories(store, from, 200);
      const expected = findAllStories(store);
      suite.stores.faults.restart(({ name }) => (name === "write" || name === "sync" ? code : undefined));
      assert.equal(store.fillIndex(), 1, "it stops at the first failure");
      suite.stores.faults.restart();
      assert.deepEqual(findAllStories(store), expected, code);
      assert.ok(store.commit([addMessage(from + 200, "after")]).ok, code);
      store.fillIndex();
      assert.deepEqual(findAllStories(store), expected, code);
      store.close();
      assert.equal(indexedIn(suite.path), from + 201);
    }
  });

  it("does not disturb others, whichever file call fails while it is filled, once or permanently", () => {
    const store = open();
    addStories(store, 0, 60);
    store.close();
    const sound = new Map(readdirSync(suite.path).map((name) => [name, readFileSync(join(suite.path, name))]));
    const attempt = (failing: number, isForGood: boolean): number => {
      for (const name of readdirSync(suite.path)) rmSync(join(suite.path, name));
      for (const [name, bytes] of sound) writeFileSync(join(suite.path, name), bytes);
      const tried = open();
      suite.stores.faults.restart(({ index }) =>
        index === failing || (isForGood && index > failing) ? "EIO" : undefined,
      );
      tried.fillIndex();
      const { count } = suite.stores.faults;
      suite.stores.faults.restart();
      const what = `call ${failing}${isForGood ? " and all after it" : ""}`;
      assert.ok(tried.commit([addMessage(60, "a newcomer")]).ok, what);
      for (const query of ["newcomer", "number7"])
        assert.equal(findStories(tried, query)[0], query === "number7" ? 7 : 60, what);
      tried.close();
      const again = open();
      again.fillIndex();
      assert.deepEqual([findStories(again, "newcomer"), findStories(again, "number7")[0]], [[60], 7], what);
      again.close();
      assert.deepEqual([judge(suite.path).integrity, judge(suite.path).messages], ["ok", 61], what);
      return count;
    };
    const calls = attempt(Infinity, false);
    assert.ok(calls > 5);
    for (let failing = 0; failing < calls; failing++) {
      attempt(failing, false);
      attempt(failing, true);
    }
  });

  it("is not filled after the conversation was taken over", () => {
    const lease = join(suite.path, "lease.1");
    const opened = suite.stores.open(suite.path, lease);
    assert.ok(opened.ok);
    writeFileSync(lease, "{}");
    addStories(opened.value, 0, 20);
    const before = readFileSync(`${suite.file}-wal`);
    rmSync(lease);
    assert.equal(opened.value.fillIndex(), 1);
    opened.value.close();
    assert.deepEqual(readFileSync(`${suite.file}-wal`), before);
  });

  it("is skipped silently when it is damaged", async () => {
    const store = open();
    addStories(store, 0, 100);
    const expected = findAllStories(store);
    store.fillIndex();
    store.close();
    const engine = openSqlJsEngine(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), suite.file);
    configure(engine);
    engine.exec("UPDATE search_segdir SET root = x'ffffffffffffffff', start_block = 0, end_block = 0");
    engine.close();
    const again = open();
    assert.deepEqual(findAllStories(again), expected);
    addStories(again, 100, 10);
    assert.equal(again.fillIndex(), 1);
    assert.deepEqual(findStories(again, "number105"), [105]);
    again.close();
  });

  it("is created for a conversation of the first version, which stays complete", async () => {
    const engine = openSqlJsEngine(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), suite.file);
    configure(engine);
    migrate(engine, MIGRATIONS.slice(0, 1));
    engine.close();
    const first = new DatabaseSync(suite.file);
    assert.equal(first.prepare("PRAGMA user_version").get()?.["user_version"], 1);
    first.close();
    const store = open();
    store.commit([{ kind: "draft", text: "a draft" }]);
    addStories(store, 0, 30);
    store.fillIndex();
    assert.deepEqual(findStories(store, "number7"), [7]);
    store.close();
    const again = open();
    assert.equal(again.shape.draft, "a draft");
    const read = again.readMessages([messageId(7)]);
    assert.deepEqual(read.ok && read.value[0]?.message, messageRecord(7, storyText(7)).message);
    again.close();
  });

  it("is filled only while the store is idle", async () => {
    const store = await openStore(suite.path);
    await store.commit(Array.from({ length: 50 }, (_, id) => addMessage(id, storyText(id))));
    assert.equal(indexedIn(suite.path), 0);
    for (let waited = 0; indexedIn(suite.path) !== 50; waited++) {
      assert.ok(waited < 200, "it was not filled");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const found = await store.search("number7", { limit: 5 });
    assert.deepEqual(found.ok && found.value.map(({ id }) => id), [7]);
    await store.close();
  });

  it("acknowledges commits during a search, and reports a search that closing interrupted", async () => {
    const store = await openStore(suite.path);
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
