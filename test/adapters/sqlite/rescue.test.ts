import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { JOURNAL_PAGE } from "../../../src/adapters/sqlite/rescue/journalTree.ts";
import { rescueConversation } from "../../../src/adapters/sqlite/rescueConversation.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import type { IndexRecord } from "../../../src/core/history/records.ts";
import { messageId, summaryId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import type { StoreWrite } from "../../../src/core/store/conversationStore.ts";
import { placesOfMessages, readPair, writePair } from "../../support/storage/damage.ts";
import { FaultyCalls } from "../../support/storage/faultyCalls.ts";
import { assertInProportion } from "../../support/linearTime.ts";
import { LocalStores, type LocalStore } from "../../support/storage/localStore.ts";
import { openStore, storeOptions } from "../../support/storage/sqliteStore.ts";
import { addMessage, addRow, messageRecord, step, temporaryFolder } from "../../support/storage/storeBuilders.ts";

describe("rescue of a damaged conversation", function () {
  this.timeout(60_000);
  let stores: LocalStores;
  let folder: ReturnType<typeof temporaryFolder>;
  before(async () => {
    stores = await LocalStores.load(
      new FaultyCalls({ ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined }),
    );
  });
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    stores.faults.restart();
    folder.remove();
  });
  const file = (): string => join(folder.path, "conversation.sqlite");
  const open = (): LocalStore => {
    const opened = stores.open(folder.path);
    assert.ok(opened.ok, JSON.stringify(opened));
    return opened.value;
  };
  const fill = (writes: readonly StoreWrite[]): void => {
    const store = open();
    for (const write of writes) store.commit([write]);
    store.close();
  };
  /** Zeroes the first page and those that hold the messages `ids`. */
  const destroy = (ids: readonly number[]): void => {
    const places = placesOfMessages(file());
    const bytes = readFileSync(file());
    for (const { at } of [{ at: 0 }, ...ids.flatMap((id) => places[id] ?? [])]) bytes.fill(0, at, at + 4096);
    writeFileSync(file(), bytes);
  };

  it("keeps every id in place, with a note where a message is lost", async () => {
    const long = "long ".repeat(700); // a page of its own each
    const pin: IndexRecord = { kind: "pin", id: messageId(3), pinned: true, atMs: 1 };
    fill([
      ...[0, 1, 2, 3, 4].map((id) => addMessage(id, `${id} ${long}`)),
      { kind: "record", record: pin },
      addRow(step(1), 0, "{}", "begin"),
    ]);
    destroy([2]);
    const rescued = await rescueConversation(storeOptions(folder.path));
    assert.ok(rescued.ok, JSON.stringify(rescued));
    const { messagesRecovered, messagesLost, summariesLost, preservedAs } = rescued.value;
    assert.ok(messagesLost.includes(messageId(2)) && messagesLost.length + messagesRecovered === 5);
    assert.deepEqual([summariesLost, preservedAs], [0, "damaged-1.sqlite"]);
    const store = await openStore(folder.path);
    const ids = [0, 1, 2, 3, 4].map(messageId);
    const messages = await store.readMessages(ids);
    assert.ok(messages.ok);
    for (const { entry, message } of messages.value) {
      const expected = messagesLost.includes(entry.id) ? /could not be read/ : new RegExp(`^${entry.id} long`);
      assert.match(textOf(message), expected);
    }
    const index = await store.readIndex(0, 100);
    assert.ok(index.ok);
    assert.deepEqual(index.value.at(-1), pin);
    assert.equal(store.shape.journal.length, 1);
    assert.ok((await store.commit([addMessage(5)])).ok, "it goes on");
    await store.close();
  });

  it("does not restore journal rows that have become messages", () => {
    fill([addRow(step(1), 0, "{}", "begin"), addRow(step(1), 1, "text")]);
    const store = open();
    store.commit([addMessage(0, "text", step(1)), { kind: "journalDrop", stepId: step(1) }]);
    store.close();
    destroy([]);
    const rescued = stores.rescue(folder.path);
    assert.equal(rescued.ok && rescued.value.answersInJournal, 0);
    const again = open();
    assert.deepEqual([again.shape.messageCount, again.shape.journal], [1, []]);
    again.close();
  });

  for (const [when, isErased] of [
    ["restores", false],
    ["does not restore if it was erased", true],
  ] as const)
    it(`${when} what the journal has of an answer whose message is lost`, () => {
      const long = "long ".repeat(700); // a page of its own each
      const { entry } = messageRecord(1, "text", step(1));
      fill([
        addMessage(0, long),
        addRow(step(1), 0, "{}", "begin"),
        addRow(step(1), 1, "pieces of it"),
        addMessage(1, long, step(1)),
        addMessage(2, long),
        ...(isErased ? [{ kind: "record", record: { kind: "erasure", entries: [entry], atMs: 2 } } as const] : []),
      ]);
      destroy([1]);
      const rescued = stores.rescue(folder.path);
      assert.deepEqual(rescued.ok && [rescued.value.messagesLost, rescued.value.answersInJournal], [
        [1],
        isErased ? 0 : 1,
      ]);
      const again = open();
      const index = again.readIndex(0, 10);
      assert.ok(index.ok);
      const steps = index.value.flatMap((record) => (record.kind === "entry" ? [record.entry.step] : []));
      assert.deepEqual(steps, [undefined, isErased ? step(1) : undefined, undefined]);
      assert.deepEqual(
        again.shape.journal.map(({ content }) => content),
        isErased ? [] : ["{}", "pieces of it"],
      );
      again.close();
    });

  it("restores every row of a journal that fills many pages", () => {
    const words = (seq: number): string => `${seq} ${"word ".repeat(40)}`;
    fill([addRow(step(1), 0, "{}", "begin")]);
    const store = open();
    store.commit(Array.from({ length: 400 }, (_, index) => addRow(step(1), index + 1, words(index + 1))));
    store.close();
    destroy([]);
    const rescued = stores.rescue(folder.path);
    assert.equal(rescued.ok && rescued.value.answersInJournal, 1);
    const again = open();
    assert.deepEqual(
      again.shape.journal.map(({ content }) => content),
      ["{}", ...Array.from({ length: 400 }, (_, index) => words(index + 1))],
    );
    again.close();
  });

  it("restores the journal of a long answer in linear time", () => {
    const rows = (count: number): number => {
      const store = open();
      const of = step(count);
      store.commit([addRow(of, 0, "{}", "begin")]);
      store.commit(Array.from({ length: count }, (_, index) => addRow(of, index + 1, " word")));
      store.close();
      destroy([]);
      const began = performance.now();
      assert.ok(stores.rescue(folder.path).ok);
      return performance.now() - began;
    };
    rows(100);
    const shortMs = rows(4_000);
    assertInProportion(shortMs, rows(32_000));
  });

  it("restores no removed composer or queue entries, and no sent draft", () => {
    const added = (number: number): StoreWrite => addRow(step(number), 0, `{"place":${number}}`, "added");
    const filling = Array.from({ length: 200 }, (_, seq) => addRow(step(5), seq, "word ".repeat(40)));
    fill([{ kind: "draft", text: "sent since" }, added(1), addRow(step(2), 0, "{}", "queued"), added(3)]);
    const store = open();
    store.commit(filling); // on separate pages, which become free when these rows are dropped
    store.commit([addMessage(0, "text", step(5)), { kind: "journalDrop", stepId: step(5) }]);
    store.commit([1, 2].map((number) => ({ kind: "journalDrop", stepId: step(number) })));
    store.commit([{ kind: "draft", text: "" }, addMessage(1)]);
    const killed = readPair(file());
    store.close();
    for (const pair of [killed, readPair(file())]) {
      writePair(file(), { ...pair, main: Buffer.concat([Buffer.alloc(4096), pair.main.subarray(4096)]) });
      assert.ok(stores.rescue(folder.path).ok);
      const again = open();
      assert.deepEqual(
        again.shape.journal.map(({ stepId }) => stepId),
        [step(3)],
      );
      assert.equal(again.shape.draft, "");
      again.close();
    }
  });

  it("finds the journal in its usual page", () => {
    fill([]);
    const database = new DatabaseSync(file());
    const page = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'journal'").get()?.["rootpage"];
    database.close();
    assert.equal(page, JOURNAL_PAGE);
  });

  it("substitutes a summary that later records refer to", () => {
    fill([
      addMessage(0),
      { kind: "record", record: { kind: "summaryState", id: summaryId(1), state: "undone", atMs: 1 } },
    ]);
    destroy([]);
    const rescued = stores.rescue(folder.path);
    assert.equal(rescued.ok && rescued.value.summariesLost, 2);
    const store = open();
    const index = store.readIndex(0, 10);
    assert.deepEqual(index.ok && index.value.map(({ kind }) => kind), ["entry", "summary", "summary", "summaryState"]);
    store.close();
  });

  it("numbers the copies that it keeps", () => {
    fill([addMessage(0)]);
    for (const name of ["damaged-1.sqlite", "damaged-2.sqlite"]) {
      destroy([]);
      const rescued = stores.rescue(folder.path);
      assert.equal(rescued.ok && rescued.value.preservedAs, name);
    }
  });

  it("makes an empty conversation when nothing can be read, and keeps the damaged file", () => {
    mkdirSync(folder.path, { recursive: true });
    writeFileSync(file(), Buffer.alloc(20_000, "x"));
    const rescued = stores.rescue(folder.path);
    assert.deepEqual(rescued.ok && rescued.value.messagesRecovered, 0);
    assert.equal(readFileSync(join(folder.path, "damaged-1.sqlite")).length, 20_000);
    open().close();
  });

  it("restarts after a crash at any file call, and loses nothing", () => {
    fill([0, 1, 2].map((id) => addMessage(id)));
    destroy([]);
    const damaged = readFileSync(file());
    const run = (failing: number): number => {
      for (const name of readdirSync(folder.path)) writeFileSync(join(folder.path, name), "");
      folder.remove();
      mkdirSync(folder.path);
      writeFileSync(file(), damaged);
      stores.faults.restart(({ index }) => (index >= failing ? "EIO" : undefined));
      stores.rescue(folder.path);
      const { count } = stores.faults;
      stores.faults.restart();
      const opened = stores.open(folder.path);
      if (opened.ok) opened.value.close();
      else assert.ok(stores.rescue(folder.path).ok);
      const store = open();
      const read = store.readMessages([0, 1, 2].map(messageId));
      assert.deepEqual(
        read.ok && read.value.map(({ message }) => message),
        [0, 1, 2].map((id) => messageRecord(id).message),
      );
      store.close();
      return count;
    };
    const calls = run(Infinity);
    for (let failing = 0; failing < calls; failing++) run(failing);
  });
});
