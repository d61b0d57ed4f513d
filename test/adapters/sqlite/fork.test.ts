import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { recordChecksum } from "../../../src/adapters/sqlite/rowCodec.ts";
import { SCHEMA_VERSION } from "../../../src/adapters/sqlite/schema.ts";
import { Conversation } from "../../../src/core/conversation/conversation.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { erasurePlaceholder, makeErasure } from "../../../src/core/history/erasure.ts";
import { forkOf, NOT_COPIED, type Fork } from "../../../src/core/history/fork.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { ReadContents } from "../../../src/core/history/readPages.ts";
import type { CompactionReceipt, ConversationRecord } from "../../../src/core/history/records.ts";
import { messageId, modelId, summaryId } from "../../../src/core/ids.ts";
import { ok } from "../../../src/core/result.ts";
import { realClock } from "../../support/clocks.ts";
import { forkedHistory } from "../../support/session/forkedHistory.ts";
import { Reversible } from "../../support/session/reversible.ts";
import { acts } from "../../support/session/reversibleActions.ts";
import { documentOf } from "../../support/session/savedConversations.ts";
import type { LocalStore } from "../../support/storage/localStore.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";
import { forkedRecords } from "../../support/storage/memoryStore.ts";
import { judge } from "../../support/storage/nativeJudge.ts";
import { openStore } from "../../support/storage/sqliteStore.ts";
import { addMessage, addRow, messageRecord, step, temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { erasureOf, summaryRecord } from "../../contracts/eraseCases.ts";

const DATABASE = "conversation.sqlite";
const SUCCESS = { ok: true, value: undefined };
const ORIGIN = { conversation: "here", title: "", message: 1 };

/** A record that the conversation gets between two actions; numbers are wrapped around to existing items. */
type Extra = "usage" | "receipt" | "grant" | "setting" | "title" | "settingsModel" | "image" | "erase";
const EXTRAS = ["usage", "receipt", "grant", "setting", "title", "settingsModel", "image", "erase"] as const;

async function addExtra(reversible: Reversible, extra: Extra, at: number): Promise<void> {
  const { conversation } = reversible;
  const { history } = conversation.manager;
  const id = messageId(at % (history.length + 1));
  const figures = { costUsd: at / 8, atMs: at };
  switch (extra) {
    case "usage": {
      const tokens = { inputTokens: at, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 0 };
      return conversation.keep({ kind: "usage", message: id, model: modelId("m"), ...tokens, ...figures });
    }
    case "receipt": {
      if (history.summaryCount === 0) return;
      const { id: summary, covers: span } = history.summary(summaryId(at % history.summaryCount));
      const receipt: CompactionReceipt = {
        ...{ summaries: [summary], notesLater: [summary], span, strategy: "tree", trigger: "threshold", calls: 1 },
        ...{ tokensBefore: 9, tokensAfter: 3, model: "m", durationMs: 1, factsKept: 0, factsTotal: 1, ...figures },
      };
      return conversation.keep({ kind: "receipt", receipt });
    }
    case "grant":
    case "setting": {
      const name = extra === "grant" ? `grant.tool${at % 3}` : ["strategy", "origin", "other"][at % 3];
      return conversation.keep({ kind: "setting", name: name ?? "", value: String(at), atMs: at });
    }
    case "title":
      return conversation.keep({ kind: "title", title: at % 4 === 0 ? "" : `Title ${at}`, by: "user", atMs: at });
    case "settingsModel":
      return conversation.keep({ kind: "model", provider: "", model: conversation.manager.model, atMs: at });
    case "image":
      return reversible.say([
        {
          role: "user",
          parts: [{ kind: "image", mediaType: "image/png", dataBase64: "AA==", widthPx: 1, heightPx: 2 }],
        },
      ]);
    case "erase": {
      if (history.length === 0) return;
      const { start, end } = history.atomOf(messageId(at % history.length));
      const read = await conversation.store.readMessages(
        Array.from({ length: end - start }, (_, index) => messageId(start + index)),
      );
      assert.ok(read.ok);
      const erased = read.value.map(({ entry, message }) => ({
        entry,
        message: erasurePlaceholder(message),
        tokens: { cl100k: 4, o200k: 4 },
      }));
      const owner = new Conversation(conversation.store, conversation.manager, realClock);
      assert.ok((await owner.erase(() => makeErasure(erased, { atMs: at }))).ok);
    }
  }
}

function hidden(id: number): ConversationRecord {
  return { kind: "visibility", range: { start: messageId(id), end: messageId(id + 1) }, hidden: true, atMs: 1 };
}

/** The parts of `records` that a store reads. */
function asStored(records: readonly ConversationRecord[]): unknown {
  const index = records.map((record) => (record.kind === "message" ? { kind: "entry", entry: record.entry } : record));
  const messages = records.flatMap((record) =>
    record.kind === "message" ? [{ entry: record.entry, message: record.message }] : [],
  );
  return JSON.parse(JSON.stringify({ index, messages }));
}

function contentOf(store: LocalStore): unknown {
  const { messageCount, recordCount } = store.shape;
  const index = store.readIndex(0, recordCount);
  const messages = store.readMessages(Array.from({ length: messageCount }, (_, id) => messageId(id)));
  assert.ok(index.ok && messages.ok);
  return { index: index.value, messages: messages.value };
}

describe("forking", function () {
  this.timeout(120_000);
  const suite = useLocalStores();
  const { open } = suite;
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => folder.remove());
  const mkdirIn = (name: string): string => {
    const path = join(folder.path, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const openIn = (name: string): LocalStore => open(mkdirIn(name));
  const forkFolder = (): string => join(folder.path, "fork");
  const newForkFolder = (): void => {
    rmSync(forkFolder(), { recursive: true, force: true });
    mkdirSync(forkFolder());
  };
  const forkIn = (store: LocalStore, fork: Fork): LocalStore => {
    newForkFolder();
    assert.deepEqual(store.fork(fork, join(forkFolder(), DATABASE)), SUCCESS);
    return open(forkFolder());
  };
  /** Changes the closed database in `path`, as nobody may. */
  const change = (path: string, sql: string): void => {
    const engine = new DatabaseSync(join(path, DATABASE));
    for (const { name } of engine.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all())
      engine.exec(`DROP TRIGGER ${String(name)}`);
    engine.exec(sql);
    engine.close();
  };
  const indexedIn = (path: string): number => {
    const engine = new DatabaseSync(join(path, DATABASE), { readOnly: true });
    const row = engine.prepare("SELECT ifnull(max(indexed), 0) AS indexed FROM search_state").get();
    engine.close();
    return Number(row?.["indexed"]);
  };
  const filesIn = (path: string): unknown => readdirSync(path).map((name) => [name, readFileSync(join(path, name))]);
  const write = (store: LocalStore, ...records: readonly ConversationRecord[]): void =>
    assert.ok(store.commit(records.map((record) => ({ kind: "record", record }))).ok);
  const textsIn = (store: LocalStore): readonly string[] => {
    const read = store.readMessages(Array.from({ length: store.shape.messageCount }, (_, id) => messageId(id)));
    assert.ok(read.ok);
    return read.value.map(({ message: { parts } }) => (parts[0]?.kind === "text" ? parts[0].text : ""));
  };

  it("stores the same records and messages as a fork in memory, with the document of a history cut there", async () => {
    const extras = fc.array(fc.tuple(fc.constantFrom(...EXTRAS), fc.nat(40)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(acts, fc.array(extras, { maxLength: 24 }), fc.nat(60), async (sequence, between, at) => {
        const reversible = new Reversible();
        await reversible.act({ kind: "say", turns: 3 });
        for (const [index, act] of sequence.entries()) {
          await reversible.act(act);
          for (const [extra, number] of between[index] ?? []) await addExtra(reversible, extra, number);
        }
        const { records } = reversible.disk;
        const history = new FullHistory();
        for (const record of records) history.apply(record);
        rmSync(join(folder.path, "origin"), { recursive: true, force: true });
        const store = openIn("origin");
        write(store, ...records);
        for (const last of new Set([at % history.length, history.length - 1].map(messageId))) {
          const fork = forkOf(history, last, ORIGIN, 5);
          const expected = forkedRecords(records, fork);
          const forked = forkIn(store, fork);
          assert.deepEqual(contentOf(forked), asStored(expected));
          const forkHistory = new FullHistory();
          for (const record of expected) forkHistory.apply(record);
          const read: ReadContents = (ids) => {
            const found = forked.readMessages(ids);
            return Promise.resolve(found.ok ? ok(found.value.map(({ message }) => message)) : found);
          };
          const cut = runSync(forkedHistory(history, last, ORIGIN, 5));
          assert.equal(await documentOf(forkHistory, read), await documentOf(cut, read));
          forked.close();
        }
        store.close();
      }),
      { seed: 20_261_128, numRuns: 60 },
    );
  });

  it("leaves no trace of what is not copied", () => {
    const SECRET = "OpenSesame4711quux";
    const store = openIn("origin");
    store.commit([addRow(step(1), 0, "{}", "begin"), { kind: "draft", text: `draft of ${SECRET}` }]);
    for (let id = 0; id < 40; id++) write(store, messageRecord(id, `message ${id} `.repeat(1 + ((id * 7_919) % 90))));
    for (let seq = 1; seq < 20; seq++) store.commit([addRow(step(1), seq, `${SECRET} ${seq}`.repeat(seq * 9))]);
    write(store, { kind: "title", title: `About ${SECRET}`, by: "user", atMs: 1 });
    write(store, { kind: "setting", name: `grant.${SECRET}`, value: SECRET, atMs: 1 });
    store.commit([addMessage(40, SECRET.repeat(400), step(1)), { kind: "journalDrop", stepId: step(1) }]);
    write(store, summaryRecord(0, 20, 41, `a summary with ${SECRET}`));
    for (let id = 41; id < 60; id++) write(store, messageRecord(id, `message ${id} ${SECRET}`));
    store.fillIndex();
    const forked = forkIn(store, { end: messageId(40), records: [] });
    forked.fillIndex();
    forked.close();
    for (const name of readdirSync(forkFolder())) {
      const text = readFileSync(join(forkFolder(), name)).toString("latin1").toLowerCase();
      for (const trace of [SECRET, SECRET.slice(0, 9), SECRET.slice(9)])
        assert.ok(!text.includes(trace.toLowerCase()), `${trace} in ${name}`);
    }
    store.close();
  });

  it("copies the search index if it has nothing of later messages", () => {
    const text = (id: number): string => `message ${id} ${"abcdefghij"[id % 10] ?? ""}${id * 7_919} `.repeat(9);
    const cases: readonly (readonly [end: number, slices: number, indexed: number])[] = [
      [600, Infinity, 600],
      [599, Infinity, 0],
      [599, 1, 599],
      [600, 0, 0],
    ];
    for (const [end, slices, atMost] of cases) {
      rmSync(join(folder.path, "origin"), { recursive: true, force: true });
      const store = openIn("origin");
      for (let id = 0; id < 600; id++) write(store, messageRecord(id, text(id)));
      if (slices > 0) store.fillIndex(slices);
      const forked = forkIn(store, { end: messageId(end), records: [] });
      const indexed = indexedIn(forkFolder());
      const isOfSome = slices === 1 && indexed > 0 && indexed < end;
      assert.ok(isOfSome || indexed === atMost, `${indexed} of ${end} after ${slices} slices`);
      const find = (of: LocalStore): unknown =>
        ["message", "a7919", "message 41", "f39595"].map((query) =>
          of.search(query, { limit: 9, before: messageId(end) }),
        );
      const expected = find(store);
      assert.deepEqual(find(forked), expected);
      write(forked, messageRecord(end, "of the fork"));
      forked.fillIndex();
      assert.equal(indexedIn(forkFolder()), end + 1);
      assert.deepEqual(find(forked), expected);
      assert.deepEqual(forked.search("of the fork", { limit: 1 }), ok([{ id: end, excerpt: "of the fork" }]));
      forked.close();
      store.close();
      assert.equal(judge(forkFolder()).integrity, "ok");
    }
  });

  it("copies a conversation whose search index is damaged", () => {
    const path = mkdirIn("origin");
    const written = open(path);
    for (let id = 0; id < 300; id++) write(written, messageRecord(id, `message ${id} word${id * 7_919}`));
    written.fillIndex();
    written.close();
    for (const sql of ["UPDATE search_segdir SET root = x'ff'", "DROP TABLE search_segments"]) {
      change(path, `PRAGMA writable_schema=ON; ${sql}`);
      const store = open(path);
      const forked = forkIn(store, { end: messageId(300), records: [] });
      assert.deepEqual(forked.search("word15838", { limit: 1 }), ok([{ id: 2, excerpt: "message 2 word15838" }]), sql);
      forked.close();
      store.close();
    }
  });

  it("fails in a clear way, or not at all, whichever file call fails, once or permanently", () => {
    const sound = openIn("sound");
    for (let id = 0; id < 12; id++) write(sound, messageRecord(id, `message ${id} `.repeat(90)), NOT_COPIED);
    sound.close();
    const fork: Fork = { end: messageId(8), records: [NOT_COPIED] };
    const seen = { failed: 0, forked: 0 };
    const attempt = (failing: number, code: string, isForGood: boolean): number => {
      const what = `${code} at call ${failing}${isForGood ? " and after it" : ""}`;
      cpSync(join(folder.path, "sound"), join(folder.path, "origin"), { recursive: true });
      const store = openIn("origin");
      newForkFolder();
      suite.stores.faults.restart(({ index }) =>
        index === failing || (isForGood && index > failing) ? code : undefined,
      );
      const done = store.fork(fork, join(forkFolder(), DATABASE));
      const { count } = suite.stores.faults;
      suite.stores.faults.restart();
      if (done.ok) {
        seen.forked++;
        const forked = open(forkFolder());
        assert.deepEqual([forked.shape.messageCount, judge(forkFolder()).integrity], [8, "ok"], what);
        forked.close();
      } else {
        seen.failed++;
        assert.equal(done.error.reason, code === "ENOSPC" ? "diskFull" : "ioError", what);
      }
      assert.deepEqual(forkIn(store, fork).close(), SUCCESS, `${what}: the next time`);
      assert.deepEqual(store.commit([addMessage(12)]), SUCCESS, what);
      assert.deepEqual(store.close(), SUCCESS, what);
      assert.equal(judge(join(folder.path, "origin")).integrity, "ok", what);
      rmSync(join(folder.path, "origin"), { recursive: true });
      return count;
    };
    const calls = attempt(Infinity, "none", false);
    for (let failing = 0; failing < calls; failing++) {
      attempt(failing, failing % 2 === 0 ? "ENOSPC" : "EIO", false);
      attempt(failing, failing % 2 === 0 ? "EIO" : "ENOSPC", true);
    }
    assert.ok(seen.failed > calls, JSON.stringify({ ...seen, calls }));
  });

  it("runs in slices of bounded size, and what is stored meanwhile is in the origin alone", () => {
    const store = openIn("origin");
    const text = (id: number): string => (id === 50 ? "large ".repeat(400_000) : `message ${id} ${"word ".repeat(99)}`);
    for (let id = 0; id < 3_000; id++) write(store, messageRecord(id, text(id)));
    newForkFolder();
    let slices = 0;
    const done = store.fork({ end: messageId(3_000), records: [] }, join(forkFolder(), DATABASE), (slice) => {
      slices = slice + 1;
      assert.deepEqual(
        store.commit([addMessage(3_000 + slice), addRow(step(3), slice), { kind: "draft", text: `draft ${slice}` }]),
        SUCCESS,
      );
      write(store, { kind: "visibility", range: { start: messageId(1), end: messageId(2) }, hidden: true, atMs: 1 });
      if (slice === 2) assert.ok(store.search("large", { limit: 1 }).ok);
    });
    assert.deepEqual(done, SUCCESS);
    assert.ok(slices > 10, `${slices} slices`);
    const forked = open(forkFolder());
    assert.deepEqual(
      [forked.shape, textsIn(forked)],
      [
        { messageCount: 3_000, recordCount: 3_000, draft: "", journal: [] },
        Array.from({ length: 3_000 }, (_, id) => text(id)),
      ],
    );
    forked.close();
    store.close();
    const again = openIn("origin");
    assert.deepEqual(
      [again.shape.messageCount, again.shape.draft, again.shape.journal.length],
      [3_000 + slices, `draft ${slices - 1}`, slices],
    );
    again.close();
  });

  it("is finished before the conversation is closed, in order with what is erased", async () => {
    const store = await openStore(mkdirIn("origin"));
    for (let id = 0; id < 500; id++) void store.commit([addMessage(id, `message ${id} sesame`)]);
    const [one, two] = [mkdirIn("one"), mkdirIn("two")];
    const fork: Fork = { end: messageId(500), records: [] };
    const all = erasureOf(
      Array.from({ length: 500 }, (_, id) => id),
      (id) => `message ${id} sesame`,
    );
    const answers = [store.fork(fork, one), store.erase(all), store.fork(fork, two), store.close()];
    assert.deepEqual(await Promise.all(answers), Array(4).fill(SUCCESS));
    const found = [one, two].map((path) => readFileSync(join(path, DATABASE)).includes("sesame"));
    assert.deepEqual(found, [true, false]);
  });

  it("copies nothing of a damaged conversation, and leaves it as it is", () => {
    const damages: readonly (readonly [what: string, sql: string])[] = [
      ["a changed message", "UPDATE message SET body = replace(body, 'message 7', 'message 8') WHERE id = 7"],
      ["a missing message", "DELETE FROM message WHERE id = 7"],
      ["the missing last message", "DELETE FROM message WHERE id = 19"],
      ["a changed record", "UPDATE record SET body = replace(body, 'true', 'false') WHERE kind = 'visibility'"],
      ["a missing record", "DELETE FROM record WHERE number = 7"],
    ];
    for (const [what, sql] of damages) {
      const path = mkdirIn(what);
      const sound = open(path);
      for (let id = 0; id < 20; id++) write(sound, messageRecord(id), hidden(id));
      sound.close();
      change(path, sql);
      const store = open(path);
      newForkFolder();
      const done = store.fork({ end: messageId(20), records: [] }, join(forkFolder(), DATABASE));
      assert.equal(done.ok ? "forked" : done.error.reason, "damaged", what);
      store.close();
    }
  });

  it("copies a conversation that can only be read, and changes none of its files", () => {
    const path = mkdirIn("origin");
    const written = open(path);
    for (let id = 0; id < 20; id++) write(written, messageRecord(id), hidden(id));
    written.close();
    const unwritable = { code: "STORAGE_FAILED", reason: "noPermission", detail: "EACCES" } as const;
    const hologram = JSON.stringify({ kind: "hologram" });
    for (const isNewer of [false, true]) {
      if (isNewer) {
        const sql = `INSERT INTO record VALUES(40, 'hologram', '${hologram}', ${recordChecksum(40, hologram)})`;
        change(path, `${sql}; PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
      }
      const before = filesIn(path);
      const opened = suite.stores.open(path, undefined, unwritable);
      assert.ok(opened.ok);
      assert.equal(opened.value.shape.readOnly, isNewer ? "newerVersion" : "noPermission");
      const forked = forkIn(opened.value, { end: messageId(15), records: [] });
      assert.deepEqual(
        textsIn(forked),
        Array.from({ length: 15 }, (_, id) => `message ${id}`),
      );
      forked.close();
      assert.equal(opened.value.commit([addMessage(20)]).ok, false);
      opened.value.close();
      assert.deepEqual(filesIn(path), before);
      const again = open(forkFolder());
      assert.deepEqual(again.commit([addMessage(15)]), SUCCESS);
      again.close();
    }
  });

  it("stops when the conversation is taken over", () => {
    const path = mkdirIn("origin");
    const lease = join(path, "lease.1");
    writeFileSync(lease, "{}");
    const opened = suite.stores.open(path, lease);
    assert.ok(opened.ok);
    for (let id = 0; id < 20; id++) write(opened.value, messageRecord(id));
    newForkFolder();
    const done = opened.value.fork({ end: messageId(20), records: [] }, join(forkFolder(), DATABASE), () =>
      rmSync(lease, { force: true }),
    );
    assert.equal(done.ok ? "forked" : done.error.reason, "fileGone");
    opened.value.close();
  });
});
