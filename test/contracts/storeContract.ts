/** The contract of every `ConversationStore`. */

import assert from "node:assert/strict";
import type { ConversationRecord } from "../../src/core/history/records.ts";
import { messageId, modelId, summaryId } from "../../src/core/ids.ts";
import type { ConversationStore, SearchOptions, StoreWrite } from "../../src/core/store/conversationStore.ts";
import { eraseCases, summaryRecord } from "./eraseCases.ts";
import { forkCases } from "./forkCases.ts";
import { addMessage, addRow, messageRecord, step } from "../support/storage/storeBuilders.ts";

/** Storage that outlives its stores, like a folder. */
export interface StorePlace {
  /** Opens the stored conversation. Only one store is open at a time. */
  readonly open: () => Promise<ConversationStore>;
  /** An empty folder for a fork. */
  readonly forkFolder: string;
  readonly openFork: () => Promise<ConversationStore>;
  readonly remove: () => void;
}

export function storeContract(name: string, makePlace: () => StorePlace): void {
  describe(`ConversationStore: ${name}`, () => {
    let place: StorePlace;
    let store: ConversationStore;
    beforeEach(async () => {
      place = makePlace();
      store = await place.open();
    });
    afterEach(async () => {
      await store.close();
      place.remove();
    });
    const reopen = async (): Promise<void> => {
      await store.close();
      store = await place.open();
    };

    it("is empty at first", () => {
      assert.deepEqual(store.shape, { messageCount: 0, recordCount: 0, draft: "", journal: [] });
    });

    it("stores every kind of record in order, and messages with their content", async () => {
      const records = [messageRecord(0), ...otherRecords(), messageRecord(1, "zero \0, half \ud83d, whole 😀")];
      for (const record of records) assert.deepEqual(await store.commit([{ kind: "record", record }]), success);
      await reopen();
      assert.equal(store.shape.messageCount, 2);
      assert.equal(store.shape.recordCount, records.length);
      const index = records.map((record) =>
        record.kind === "message" ? { kind: "entry", entry: record.entry } : record,
      );
      assert.deepEqual(await store.readIndex(0, 100), { ok: true, value: index });
      assert.deepEqual(await store.readIndex(3, 2), { ok: true, value: index.slice(3, 5) });
      assert.deepEqual(await store.readIndex(records.length, 5), { ok: true, value: [] });
      const messages = [messageRecord(1, "zero \0, half \ud83d, whole 😀"), messageRecord(0)];
      const expected = messages.map(({ entry, message }) => ({ entry, message }));
      assert.deepEqual(await store.readMessages([messageId(1), messageId(0)]), { ok: true, value: expected });
    });

    it("commits a batch of writes as a whole or not at all", async () => {
      await store.commit([addRow(step(1), 0)]);
      await assert.rejects(store.commit([addMessage(0), addRow(step(1), 2)]), /gap/);
      assert.deepEqual(await store.readIndex(0, 10), { ok: true, value: [] });
      assert.deepEqual(
        await store.commit([addMessage(0, "in", step(1)), { kind: "journalDrop", stepId: step(1) }]),
        success,
      );
      await reopen();
      assert.deepEqual([store.shape.messageCount, store.shape.journal], [1, []]);
    });

    it("stores a queued message, and replaces it in one transaction", async () => {
      await store.commit([addRow(step(1), 0, '{"text":"a"}', "queued")]);
      const changed = addRow(step(1), 0, '{"text":"b"}', "queued");
      assert.deepEqual(await store.commit([{ kind: "journalDrop", stepId: step(1) }, changed]), success);
      await reopen();
      assert.deepEqual(store.shape.journal, [rowOf(changed)]);
    });

    it("returns journal rows by step, the oldest step first", async () => {
      const writes = [addRow(step(2), 0), addRow(step(2), 1, "half \udc00 \0"), addRow(step(1), 0), addRow(step(2), 2)];
      for (const write of writes) await store.commit([later(write)]);
      await reopen();
      const rows = [writes[0], writes[1], writes[3], writes[2]].flatMap((write) =>
        write ? [rowOf(later(write))] : [],
      );
      assert.deepEqual(store.shape.journal, rows);
    });

    const broken: readonly [name: string, before: readonly StoreWrite[], writes: readonly StoreWrite[]][] = [
      ["a message out of order", [], [addMessage(1)]],
      ["a message twice", [addMessage(0)], [addMessage(0)]],
      ["a journal row out of order", [addRow(step(1), 0)], [addRow(step(1), 2)]],
      ["a journal without its first row", [], [addRow(step(1), 1)]],
      ["a row after the last one", [addRow(step(1), 0, "{}", "done")], [addRow(step(1), 1)]],
    ];
    for (const [what, before, writes] of broken) {
      it(`rejects ${what} as a bug, and keeps working`, async () => {
        for (const write of before) await store.commit([write]);
        await assert.rejects(store.commit(writes));
        assert.deepEqual(await store.commit([{ kind: "draft", text: "after" }]), success);
        await reopen();
        assert.equal(store.shape.draft, "after");
      });
    }

    it("throws when a message that is not stored is read", async () => {
      await assert.rejects(store.readMessages([messageId(7)]), /message 7/);
    });

    it("acknowledges in call order, and reads see earlier commits", async () => {
      const order: number[] = [];
      const commits = Array.from({ length: 50 }, (_, id) => store.commit([addMessage(id)]).then(() => order.push(id)));
      const read = store.readMessages([messageId(49)]);
      await Promise.all(commits);
      assert.deepEqual(order, [...Array(50).keys()]);
      assert.equal((await read).ok, true);
    });

    it("stores the newest draft", async () => {
      await Promise.all([
        store.commit([{ kind: "draft", text: "a" }]),
        store.commit([{ kind: "draft", text: "b\ud800" }]),
      ]);
      await reopen();
      assert.equal(store.shape.draft, "b\ud800");
    });

    describe("searching", () => {
      const texts = [
        "The configuration of getUserId lies in src/core/ports.ts",
        "旧的消息会被总结，但是从来不会被丢弃",
        "Un CAFÉ, and a configuration",
        '"quoted* (OR) NOT x:y NEAR/2 text" -minus',
        "데이터베이스를 만든다. データベース",
        "configuration configuration: the configuration once more",
      ];
      const find = async (query: string, options: Partial<SearchOptions> = {}): Promise<readonly number[]> => {
        const found = await store.search(query, { limit: 10, ...options });
        assert.ok(found.ok, JSON.stringify(found));
        return found.value.map(({ id }) => id);
      };
      beforeEach(async () => {
        for (const [id, text] of texts.entries()) await store.commit([addMessage(id, text)]);
      });

      it("finds words and parts of names and paths, ignoring case and accents, best match first", async () => {
        assert.deepEqual(await find("configuration"), [5, 2, 0]);
        assert.deepEqual(await find("userid"), [0]);
        assert.deepEqual(await find("core/por"), [0]);
        assert.deepEqual(await find("cafe configuration"), [2]);
        assert.deepEqual(await find("nowhere"), []);
      });

      it("finds Chinese, Japanese and Korean words", async () => {
        assert.deepEqual(await find("总结"), [1]);
        assert.deepEqual(await find("丢"), [1]);
        assert.deepEqual(await find("ベース"), [4]);
        assert.deepEqual(await find("데이터"), [4]);
      });

      it("treats typed search syntax as text", async () => {
        assert.deepEqual(await find('"quoted* (OR)'), [3]);
        assert.deepEqual(await find("x:y NEAR/2"), [3]);
        assert.deepEqual(await find("-minus"), [3]);
        for (const query of [
          "OR",
          "NOT",
          '"',
          "*",
          "(",
          "a AND",
          "NEAR/",
          "text:",
          "^",
          "'; DROP TABLE message",
          "\0",
        ]) {
          assert.ok((await store.search(query, { limit: 1 })).ok, query);
        }
        assert.deepEqual([await find(""), await find("  \n")], [[], []]);
      });

      it("returns at most the requested number of matches before the given message", async () => {
        assert.deepEqual(await find("configuration", { limit: 2 }), [5, 2]);
        assert.deepEqual(await find("configuration", { before: messageId(5) }), [2, 0]);
        assert.deepEqual(await find("configuration", { before: messageId(0) }), []);
      });

      it("returns the words around a match", async () => {
        const found = await store.search("ports", { limit: 1 });
        assert.deepEqual(found, { ok: true, value: [{ id: 0, excerpt: texts[0] }] });
      });

      it("finds what was just committed, and the same after reopening", async () => {
        const committed = store.commit([addMessage(6, "a newcomer")]);
        assert.deepEqual(await find("newcomer"), [6]);
        await committed;
        await reopen();
        assert.deepEqual([await find("newcomer"), await find("configuration")], [[6], [5, 2, 0]]);
      });
    });

    describe("erasing", () => {
      eraseCases({ store: () => store, reopen });
    });

    describe("forking", () => {
      forkCases({ store: () => store, forkFolder: () => place.forkFolder, openFork: () => place.openFork() });
    });

    it("closes once, and fails later calls", async () => {
      assert.deepEqual(await Promise.all([store.close(), store.close()]), [success, success]);
      await store.closed;
      const late = await store.commit([{ kind: "draft", text: "late" }]);
      assert.equal(late.ok ? "stored" : late.error.reason, "workerDied");
    });
  });
}

const success = { ok: true, value: undefined };

/** Makes rows of step 1 begin a minute later than those of step 2. */
function later(write: StoreWrite): StoreWrite {
  if (write.kind !== "journalRow" || write.row.stepId !== step(1)) return write;
  return { ...write, row: { ...write.row, createdAtMs: write.row.createdAtMs + 60_000 } };
}

function rowOf(write: StoreWrite): unknown {
  return write.kind === "journalRow" ? write.row : undefined;
}

function otherRecords(): readonly ConversationRecord[] {
  const range = { start: messageId(0), end: messageId(1) };
  return [
    { kind: "visibility", range, hidden: true, atMs: 1 },
    summaryRecord(0, 0, 1, "what was said"),
    { kind: "summaryState", id: summaryId(0), state: "undone", atMs: 3 },
    { kind: "pin", id: messageId(0), pinned: true, atMs: 4 },
    { kind: "leftOut", id: messageId(0), leftOut: [1], sentTokens: { cl100k: 2, o200k: 2 }, atMs: 4 },
    { kind: "model", provider: "offline", model: modelId("offline"), atMs: 5 },
    { kind: "title", title: "A title", by: "user", atMs: 6 },
    { kind: "setting", name: "strategy", value: "threshold", atMs: 7 },
  ];
}
