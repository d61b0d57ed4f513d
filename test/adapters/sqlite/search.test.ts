/** The full-text index: that it finds what a look at every message finds, and that it is never in the way of anything. */

import assert from "node:assert/strict";
import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { nodeFileCalls } from "../../../src/adapters/sqlite/shim/fileCalls.ts";
import { messageId } from "../../../src/core/ids.ts";
import { FaultyCalls } from "../../support/faultyCalls.ts";
import { LocalStores, type LocalStore } from "../../support/localStore.ts";
import { judge } from "../../support/nativeJudge.ts";
import { indexedIn, STORY_QUERIES, storyText } from "../../support/searchStories.ts";
import { addMessage, temporaryFolder } from "../../support/storeBuilders.ts";

const DATABASE = "conversation.sqlite";
describe("the full-text index", function () {
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

  it("finds the same in the same order as a look at every message, empty, half full and full", () => {
    const store = open();
    add(store, 0, 600);
    const expected = findAll(store);
    assert.ok(expected.filter((ids) => ids.length > 0).length > 15, "most queries find something");
    assert.ok(store.fillIndex(3) === 3);
    assert.deepEqual(findAll(store), expected);
    store.fillIndex();
    assert.deepEqual(findAll(store), expected);
    store.close();
    assert.equal(indexedIn(folder.path), 600);
    assert.equal(judge(folder.path).integrity, "ok");
    const again = open();
    assert.deepEqual(findAll(again), expected);
    assert.equal(again.fillIndex(), 1, "there is nothing more to do");
    again.close();
  });

  it("looks only at messages before the one that is named, and answers no more than asked", () => {
    const store = open();
    add(store, 0, 300);
    store.fillIndex(2);
    add(store, 300, 50);
    for (const before of [0, 1, 120, 299, 310, 350, 9_999]) {
      const ids = store.search("number1", { limit: 1_000, before: messageId(before) });
      const expected = Array.from({ length: Math.min(before, 350) }, (_, id) => id).filter((id) =>
        String(id).startsWith("1"),
      );
      assert.deepEqual(ids.ok && ids.value.map(({ id }) => Number(id)).sort((a, b) => a - b), expected);
    }
    assert.equal(find(store, "number1", 7).length, 7);
    store.close();
  });

  it("is a fraction of the size of the messages", () => {
    const store = open();
    add(store, 0, 1_500);
    store.close();
    const before = statSync(file()).size;
    const again = open();
    again.fillIndex();
    again.close();
    const share = (statSync(file()).size - before) / before;
    assert.ok(share < 0.5, `${(100 * share).toFixed(0)} % more`);
  });

  it("goes on after a crash where it had come to", () => {
    const store = open();
    add(store, 0, 400);
    store.fillIndex(4);
    const crashed = temporaryFolder();
    cpSync(folder.path, crashed.path, { recursive: true });
    const expected = findAll(store);
    store.close();
    const again = open(crashed.path);
    assert.deepEqual(findAll(again), expected);
    again.close();
    const done = indexedIn(crashed.path);
    assert.ok(done > 0 && done < 400, `${done} were in the index`);
    const last = open(crashed.path);
    last.fillIndex();
    assert.deepEqual(findAll(last), expected);
    last.close();
    crashed.remove();
  });

  it("takes a large message in several steps, in none of which a commit would wait long", () => {
    const store = open();
    const words = Array.from({ length: 60_000 }, (_, index) => `word${index.toString(36)}`).join(" ");
    store.commit([addMessage(0, words), addMessage(1, "behind it")]);
    assert.ok(store.fillIndex() > 10, "it takes many slices");
    for (const query of ["word0", "word1234", `word${(59_999).toString(36)}`, "word0 wordzz"]) {
      assert.deepEqual(find(store, query), [0], query);
    }
    assert.deepEqual(find(store, "behind"), [1]);
    store.close();
  });

  it("begins a large message again when a crash came in between", () => {
    const store = open();
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index.toString(36)}`).join(" ");
    store.commit([addMessage(0, words)]);
    store.fillIndex(3);
    store.close();
    const again = open();
    again.fillIndex();
    assert.deepEqual(find(again, `word0 word${(19_999).toString(36)}`), [0]);
    again.close();
    assert.equal(indexedIn(folder.path), 1);
  });
});
