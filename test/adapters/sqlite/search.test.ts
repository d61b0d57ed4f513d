import assert from "node:assert/strict";
import { cpSync, statSync } from "node:fs";
import { messageId } from "../../../src/core/ids.ts";
import { judge } from "../../support/storage/nativeJudge.ts";
import type { LocalStore } from "../../support/storage/localStore.ts";
import { addMessage, temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";
import { addStories, findAllStories, findStories, indexedIn } from "../../support/session/searchStories.ts";

describe("full-text index", function () {
  this.timeout(60_000);
  const suite = useLocalStores();
  const { open } = suite;

  it("returns the same results in the same order as a full scan, whether empty, half filled or filled", () => {
    const store = open();
    addStories(store, 0, 600);
    const expected = findAllStories(store);
    assert.ok(expected.filter((ids) => ids.length > 0).length > 15, "most queries find something");
    assert.ok(store.fillIndex(3) === 3);
    assert.deepEqual(findAllStories(store), expected);
    store.fillIndex();
    assert.deepEqual(findAllStories(store), expected);
    store.close();
    assert.equal(indexedIn(suite.path), 600);
    assert.equal(judge(suite.path).integrity, "ok");
    const again = open();
    assert.deepEqual(findAllStories(again), expected);
    assert.equal(again.fillIndex(), 1, "there is nothing more to do");
    again.close();
  });

  it("searches only before the given message, and returns at most the requested number", () => {
    const store = open();
    addStories(store, 0, 300);
    store.fillIndex(2);
    addStories(store, 300, 50);
    for (const before of [0, 1, 120, 299, 310, 350, 9_999]) {
      const ids = store.search("number1", { limit: 1_000, before: messageId(before) });
      const expected = Array.from({ length: Math.min(before, 350) }, (_, id) => id).filter((id) =>
        String(id).startsWith("1"),
      );
      assert.deepEqual(ids.ok && ids.value.map(({ id }) => Number(id)).sort((a, b) => a - b), expected);
    }
    assert.equal(findStories(store, "number1", 7).length, 7);
    store.close();
  });

  it("adds less than half the size of the messages", () => {
    const store = open();
    addStories(store, 0, 1_500);
    store.close();
    const before = statSync(suite.file).size;
    const again = open();
    again.fillIndex();
    again.close();
    const share = (statSync(suite.file).size - before) / before;
    assert.ok(share < 0.5, `${(100 * share).toFixed(0)} % more`);
  });

  it("continues after a crash where it stopped", () => {
    const store = open();
    addStories(store, 0, 400);
    store.fillIndex(4);
    const crashed = temporaryFolder();
    cpSync(suite.path, crashed.path, { recursive: true });
    const expected = findAllStories(store);
    store.close();
    const again = open(crashed.path);
    assert.deepEqual(findAllStories(again), expected);
    again.close();
    const done = indexedIn(crashed.path);
    assert.ok(done > 0 && done < 400, `${done} were in the index`);
    const last = open(crashed.path);
    last.fillIndex();
    assert.deepEqual(findAllStories(last), expected);
    last.close();
    crashed.remove();
  });

  it("indexes a large message in steps short enough for commits", () => {
    const store = open();
    const words = Array.from({ length: 60_000 }, (_, index) => `word${index.toString(36)}`).join(" ");
    store.commit([addMessage(0, words), addMessage(1, "behind it")]);
    assert.ok(store.fillIndex() > 10, "it takes many slices");
    for (const query of ["word0", "word1234", `word${(59_999).toString(36)}`, "word0 wordzz"]) {
      assert.deepEqual(findStories(store, query), [0], query);
    }
    assert.deepEqual(findStories(store, "behind"), [1]);
    store.close();
  });

  it("restarts a large message after a crash", () => {
    const store = open();
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index.toString(36)}`).join(" ");
    store.commit([addMessage(0, words)]);
    store.fillIndex(3);
    store.close();
    const again = open();
    again.fillIndex();
    assert.deepEqual(findStories(again, `word0 word${(19_999).toString(36)}`), [0]);
    again.close();
    assert.equal(indexedIn(suite.path), 1);
  });

  describe("ranked", () => {
    const QUESTIONS = [
      ...["Which quick foxes are brown?", "errors of worker-3", "src/m7.ts servers", "消息 总结", "Сообщение пример"],
      ...["number17 number170", "`item-7` or HTTPServer", "=>", "what is it", "zzz", "データ 데이터를 मतलब"],
    ];
    const rankedIn = (store: LocalStore): readonly unknown[] =>
      QUESTIONS.map((question) => {
        const found = store.searchRanked(question, { limit: 50 });
        assert.ok(found.ok);
        return found.value;
      });

    it("returns the same with the index empty, half filled or filled, and after a reopening", () => {
      const store = open();
      addStories(store, 0, 600);
      const expected = rankedIn(store);
      assert.ok(expected.filter((hits) => Array.isArray(hits) && hits.length > 0).length > 6, "most find something");
      store.fillIndex(3);
      assert.deepEqual(rankedIn(store), expected);
      store.fillIndex();
      assert.deepEqual(rankedIn(store), expected);
      store.close();
      const again = open();
      assert.deepEqual(rankedIn(again), expected);
      again.close();
    });

    it("tells what is new beside known messages and lines, with the index empty or filled", () => {
      const store = open();
      const texts = Array.from({ length: 500 }, (_, id) => `story ${id} of the long year`);
      texts.splice(3, 2, "The tide gauge is SK-41.", "The crane is SK-42, the gauge is old.");
      assert.ok(store.commit(texts.map((text, id) => addMessage(id, text))).ok);
      const news = (question: string, ids: readonly number[], ...lines: readonly string[]): readonly unknown[] => {
        const known = { ids: ids.map(messageId), texts: lines };
        const found = store.searchRanked(question, { limit: 1, known });
        assert.ok(found.ok);
        return found.value.flatMap(({ id, news: { share = 0, knownShare = 0, start = 0 } = {} }) => [
          Number(id),
          Number(share.toFixed(2)),
          Number(knownShare.toFixed(2)),
          start,
        ]);
      };
      const ask = (): readonly unknown[] => [
        news("tide gauge?", []),
        news("tide gauge?", [3]),
        news("tide gauge?", [4]),
        news("tide gauge?", [], "tides are high · the gauge"),
        news("SK-42", [3, 499]),
      ];
      const expected = [
        [3, 1, 0, 4],
        [4, 0.48, 1, 24],
        [3, 1, 0.48, 4],
        [3, 1, 0.52, 4],
        [4, 1, 0.5, 13],
      ];
      assert.deepEqual(ask(), expected);
      store.fillIndex();
      assert.deepEqual(ask(), expected);
      store.close();
    });

    it("finds what was said and indexed since the same was asked, and only what is before the given message", () => {
      const store = open();
      const ids = (before: number): readonly number[] => {
        const found = store.searchRanked("the harbour master", { limit: 9, before: messageId(before) });
        assert.ok(found.ok);
        return found.value.map(({ id }) => Number(id));
      };
      const found: (readonly number[])[] = [];
      for (let count = 0; count < 3; count++) {
        store.commit([addMessage(2 * count, `The harbour of ward ${count}.`), addMessage(2 * count + 1, "x = {};")]);
        store.fillIndex();
        found.push(ids(99), ids(2), ids(99));
      }
      assert.deepEqual(found, [[0], [0], [0], [2, 0], [0], [2, 0], [4, 2, 0], [0], [4, 2, 0]]);
      store.close();
    });

    it("finds by the rarer words when the others are in thousands of messages", () => {
      const store = open();
      const texts = Array.from({ length: 6_000 }, (_, id) =>
        id % 1_500 === 7 ? `the pools of walruses ${id}` : `retries of a pool ${id}`,
      );
      assert.ok(store.commit(texts.map((text, id) => addMessage(id, text))).ok);
      const ids = (question: string, before = texts.length): readonly number[] => {
        const found = store.searchRanked(question, { limit: 4, before: messageId(before) });
        assert.ok(found.ok);
        return found.value.map(({ id }) => Number(id));
      };
      const questions = ["Was the pool of a walrus retried?", "walrus pool"];
      const expected = questions.map(() => [4_507, 3_007, 1_507, 7]);
      assert.deepEqual(
        questions.map((question) => ids(question)),
        expected,
      );
      store.fillIndex();
      assert.deepEqual(
        questions.map((question) => ids(question)),
        expected,
      );
      assert.deepEqual(ids("walrus", 3_007).slice(0, 2), [1_507, 7]);
      assert.deepEqual(ids("pool", 5), [4, 3, 2, 1]);
      store.close();
    });
  });
});
