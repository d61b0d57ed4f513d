import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { ERASED_TEXT } from "../../../src/core/history/erasure.ts";
import { messageId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import type { StoreWrite } from "../../../src/core/store/conversationStore.ts";
import { erasureOf, summaryRecord } from "../../contracts/eraseCases.ts";
import { FaultyCalls } from "../../support/storage/faultyCalls.ts";
import { LocalStores, type LocalStore } from "../../support/storage/localStore.ts";
import { judge } from "../../support/storage/nativeJudge.ts";
import { makeVersion } from "../../support/storage/schemaVersions.ts";
import { openStore, SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { addMessage, addRow, step, temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";

const DATABASE = "conversation.sqlite";
const SECRET = "OpenSesame4711quux";
/** Pieces short enough to lie within one page wherever the text is split; in lower case as in the search index. */
const TRACES = [SECRET, SECRET.toLowerCase(), SECRET.slice(0, 9), SECRET.slice(9)].map((text) => Buffer.from(text));
const ERASED = 7;
const MOST_WORDS = 150;
const long = (words: string): string => words.repeat(Math.ceil(30_000 / words.length));
const texts: Readonly<Record<string, string>> = {
  "a short message": `the word is ${SECRET}`,
  "a message over many pages": long(`the word is ${SECRET}, `),
  "a message that is nothing else": SECRET,
};

describe("erasing", function () {
  this.timeout(120_000);
  const suite = useLocalStores();
  const { open } = suite;
  /** Names of the files that hold a trace. */
  const traces = (): readonly string[] =>
    readdirSync(suite.path).filter((name) => {
      const bytes = readFileSync(join(suite.path, name));
      return TRACES.some((trace) => bytes.includes(trace));
    });

  /** Writes messages of which one contains the secret. It was streamed, and is in a summary, a title and the draft, too. */
  const fill = (store: LocalStore, text: string): void => {
    const write = (...writes: readonly StoreWrite[]): void => assert.ok(store.commit(writes).ok);
    for (let id = 0; id < ERASED; id++) write(addMessage(id, `message ${id} `.repeat(1 + ((id * 7_919) % MOST_WORDS))));
    write(addRow(step(1), 0, "{}", "begin"), addRow(step(2), 0, "{}", "begin"));
    const pieces = text.match(/[^]{1,700}/g) ?? [];
    for (const [index, piece] of pieces.entries())
      write(addRow(step(1), index + 1, piece), { kind: "draft", text: piece });
    write(addRow(step(2), 1, SECRET));
    write(addMessage(ERASED, text, step(1)), { kind: "journalDrop", stepId: step(1) });
    for (let id = ERASED + 1; id < 20; id++)
      write(addMessage(id, `message ${id} `.repeat(1 + ((id * 7_919) % MOST_WORDS))));
    write({ kind: "record", record: summaryRecord(0, 4, 9, `a summary with ${SECRET}`) });
    write({ kind: "record", record: { kind: "title", title: SECRET, by: "automatic", atMs: 1 } });
    write({ kind: "draft", text: `draft with ${SECRET}` });
  };
  const erasure = (text: string) => erasureOf([ERASED], () => text, { steps: [step(2)], from: step(1) });
  const check = (store: LocalStore): void => {
    const { messageCount } = store.shape;
    const read = store.readMessages(Array.from({ length: messageCount }, (_, id) => messageId(id)));
    assert.ok(read.ok && messageCount === 20);
    for (const { entry, message } of read.value) {
      assert.match(
        textOf(message),
        entry.id === ERASED ? /^\[Erased by the user\]$/ : new RegExp(`^message ${entry.id} `),
      );
    }
    assert.deepEqual([store.shape.draft, store.shape.journal], ["", []]);
  };

  for (const [what, text] of Object.entries(texts)) {
    it(`leaves no trace of ${what}`, () => {
      const store = open();
      fill(store, text);
      store.fillIndex();
      assert.ok(traces().length > 0, "it is there before");
      assert.ok(store.erase(erasure(text)).ok);
      assert.deepEqual(traces(), [], "while it is open");
      assert.deepEqual(store.search(SECRET, { limit: 5 }), { ok: true, value: [] });
      store.fillIndex();
      store.close();
      assert.deepEqual(traces(), [], "after it was closed");
      assert.equal(judge(suite.path).integrity, "ok");
      const again = open();
      check(again);
      again.close();
    });
  }

  it("leaves no byte in a file rewritten many times by the first version", async () => {
    makeVersion(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), suite.path, 1, 0);
    for (const text of Object.values(texts)) {
      const store = open();
      const next = store.shape.messageCount;
      for (let turn = 0; turn < 30; turn++) {
        store.commit([{ kind: "draft", text: turn % 2 === 0 ? text : "short" }, addRow(step(turn), 0, "{}", "begin")]);
        for (let seq = 1; seq < 9; seq++) store.commit([addRow(step(turn), seq, turn % 3 === 0 ? SECRET : "other")]);
        if (turn % 4 !== 0) store.commit([{ kind: "journalDrop", stepId: step(turn) }]);
      }
      store.commit([addMessage(next, text)]);
      store.fillIndex();
      for (let turn = 0; turn < 30; turn += 4) store.commit([{ kind: "journalDrop", stepId: step(turn) }]);
      store.close();
    }
    assert.deepEqual(traces(), [DATABASE]);
    const store = open();
    assert.ok(store.erase(erasureOf([0, 1, 2], (id) => Object.values(texts)[id] ?? "")).ok);
    store.close();
    assert.deepEqual(traces(), []);
  });

  it("erases also when the list's copy is replaced while it is removed", async () => {
    const vanishing = {
      ...nodeFileCalls,
      list: (path: string) => ["tmp.0c5f", "meta.json", ...nodeFileCalls.list(path)],
    };
    const stores = await LocalStores.load(new FaultyCalls(vanishing));
    const opened = stores.open(suite.path);
    assert.ok(opened.ok);
    fill(opened.value, SECRET);
    assert.ok(opened.value.erase(erasure(SECRET)).ok);
    assert.ok(opened.value.close().ok);
    assert.deepEqual(traces(), []);
  });

  it("also erases copies kept by a rescue, the list's copy and leftovers of an earlier attempt", () => {
    const store = open();
    fill(store, SECRET);
    store.close();
    const bytes = readFileSync(suite.file);
    writeFileSync(suite.file, Buffer.from(bytes).fill(0, 0, 4_096));
    assert.ok(suite.stores.rescue(suite.path).ok);
    writeFileSync(join(suite.path, "meta.json"), JSON.stringify({ title: SECRET }));
    writeFileSync(join(suite.path, "tmp.0c5f"), JSON.stringify({ title: SECRET })); // left by a crash during replacement
    writeFileSync(join(suite.path, "erasing.sqlite"), SECRET);
    writeFileSync(join(suite.path, "lease.3"), "{}");
    const again = open();
    assert.ok(traces().includes("damaged-1.sqlite"));
    assert.ok(again.erase(erasure(SECRET)).ok);
    again.close();
    assert.deepEqual(readdirSync(suite.path).toSorted(), [DATABASE, "lease.3"]);
    assert.deepEqual(traces(), []);
  });

  it("leaves the conversation usable, unchanged or erased, whichever file call fails, once or permanently", () => {
    const sound = temporaryFolder();
    const store = open(sound.path);
    fill(store, texts["a short message"] ?? "");
    store.close();
    const seen = { kept: 0, erased: 0 };
    const attempt = (failing: number, isForGood: boolean): number => {
      const what = `call ${failing}${isForGood ? " and all after it" : ""}`;
      rmSync(suite.path, { recursive: true, force: true });
      mkdirSync(suite.path);
      cpSync(sound.path, suite.path, { recursive: true });
      const tried = open();
      suite.stores.faults.restart(({ index }) =>
        index === failing || (isForGood && index > failing) ? "EIO" : undefined,
      );
      const { ok } = tried.erase(erasure(SECRET));
      const { count } = suite.stores.faults;
      suite.stores.faults.restart();
      const goesOn = tried.commit([{ kind: "draft", text: "" }]).ok;
      tried.close();
      if (!ok) seen.kept++;
      else assert.ok(goesOn || failing < count, what);
      const again = open();
      const read = again.readMessages([messageId(ERASED)]);
      assert.ok(read.ok, what);
      const isErased = textOf(read.value[0]?.message ?? { role: "user", parts: [] }) === ERASED_TEXT;
      assert.ok(isErased || !ok, `${what}: said to be erased`);
      if (isErased) {
        seen.erased++;
        check(again);
        assert.deepEqual(traces(), [], what);
      } else {
        assert.equal(again.shape.journal.length, 2, what);
        assert.ok(again.erase(erasure(SECRET)).ok, `${what}: the next time`);
        assert.deepEqual(traces(), [], what);
      }
      again.close();
      assert.deepEqual(readdirSync(suite.path), [DATABASE], what);
      assert.equal(judge(suite.path).integrity, "ok", what);
      return count;
    };
    const calls = attempt(Infinity, false);
    for (let failing = 0; failing < calls; failing++) {
      attempt(failing, false);
      attempt(failing, true);
    }
    assert.ok(seen.kept > calls && seen.erased > 10, JSON.stringify({ ...seen, calls }));
    sound.remove();
  });

  it("long: runs in slices of bounded size, and what is stored meanwhile is there afterwards", () => {
    const store = open();
    fill(store, SECRET);
    for (let id = 20; id < 3_020; id++)
      assert.ok(store.commit([addMessage(id, `message ${id} ${"word ".repeat(100)}`)]).ok);
    let slices = 0;
    const erased = store.eraseInSlices(erasure(SECRET), () => {
      const id = 3_020 + slices++;
      assert.ok(store.commit([addMessage(id, `message ${id} `)]).ok);
      assert.ok(store.commit([{ kind: "draft", text: `draft ${slices}` }]).ok);
      assert.ok(store.commit([addRow(step(3), slices - 1, `row ${slices}`)]).ok);
      assert.ok(store.readMessages([messageId(id)]).ok);
    });
    assert.deepEqual(erased, { ok: true, value: undefined });
    assert.ok(slices > 10, `${slices} slices`);
    assert.deepEqual(traces(), []);
    store.close();
    const again = open();
    const { messageCount, draft, journal } = again.shape;
    assert.deepEqual(
      { messageCount, draft, journal: journal.map(({ seq }) => seq) },
      {
        messageCount: 3_020 + slices,
        draft: `draft ${slices}`,
        journal: Array.from({ length: slices }, (_, seq) => seq),
      },
    );
    const read = again.readMessages(Array.from({ length: messageCount }, (_, id) => messageId(id)));
    assert.ok(read.ok);
    const texts = read.value.map(({ message }) => textOf(message).split(" ").slice(0, 2).join(" "));
    assert.deepEqual(
      texts,
      Array.from({ length: messageCount }, (_, id) => (id === ERASED ? "[Erased by" : `message ${id}`)),
    );
    again.close();
    assert.equal(judge(suite.path).integrity, "ok");
  });

  it("long: frees the old file bit by bit once the new one has its name", () => {
    const store = open();
    for (let id = 0; id < 44; id++) assert.ok(store.commit([addMessage(id, SECRET.repeat(30_000))]).ok);
    const { size } = statSync(suite.file);
    assert.ok(size > 20_000_000, String(size));
    const slices: string[] = [];
    let calls: string[] = [];
    suite.stores.faults.restart(({ name, path }) => {
      if (["rename", "truncate"].includes(name) && path.endsWith(".sqlite")) calls.push(name);
      return undefined;
    });
    const erased = store.eraseInSlices(
      erasureOf([3], () => SECRET),
      () => {
        if (calls.length > 0) slices.push(calls.join(" "));
        calls = [];
      },
    );
    suite.stores.faults.restart();
    assert.deepEqual(
      [erased.ok, slices.slice(slices.indexOf("rename"))],
      [true, ["rename", ...Array.from({ length: Math.ceil(size / (8 << 20)) }, () => "truncate")]],
    );
    store.close();
  });

  it("long: drops the user's title when a newer one is stored meanwhile", () => {
    const store = open();
    const title = (text: string, by: "user" | "automatic"): StoreWrite => ({
      kind: "record",
      record: { kind: "title", title: text, by, atMs: 1 },
    });
    fill(store, SECRET);
    for (let id = 20; id < 1_000; id++) assert.ok(store.commit([addMessage(id)]).ok);
    assert.ok(store.commit([title(`About ${SECRET}`, "user")]).ok);
    const erased = store.eraseInSlices(erasure(SECRET), (slice) => {
      if (slice === 0) assert.ok(store.commit([title("New", "user")]).ok);
    });
    assert.deepEqual(erased, { ok: true, value: undefined });
    const index = store.readIndex(0, 2_000);
    assert.ok(index.ok);
    const titles = index.value.flatMap((record) => (record.kind === "title" ? [record.title] : []));
    assert.deepEqual(titles, ["", "", "New"]);
    assert.deepEqual(traces(), []);
    store.close();
  });

  it("long: is finished before the conversation is closed, one after the other", async () => {
    const store = await openStore(suite.path);
    for (let id = 0; id < 500; id++) void store.commit([addMessage(id, `message ${id} ${SECRET}`)]);
    const all = (from: number) =>
      erasureOf(
        Array.from({ length: 250 }, (_, id) => from + id),
        () => SECRET,
      );
    const erased = [store.erase(all(0)), store.erase(all(250))];
    const closed = store.close();
    assert.deepEqual(await Promise.all([...erased, closed]), Array(3).fill({ ok: true, value: undefined }));
    assert.deepEqual(traces(), []);
  });

  it("does nothing after the conversation was taken over", () => {
    const lease = join(suite.path, "lease.1");
    writeFileSync(lease, "{}");
    const opened = suite.stores.open(suite.path, lease);
    assert.ok(opened.ok);
    fill(opened.value, SECRET);
    rmSync(lease);
    const before = readFileSync(suite.file);
    const refused = opened.value.erase(erasure(SECRET));
    assert.equal(refused.ok ? "" : refused.error.reason, "fileGone");
    opened.value.close();
    assert.deepEqual(readFileSync(suite.file), before);
  });

  it("is not mistaken for a dead thread when it takes long", async () => {
    const store = await openStore(suite.path);
    for (let id = 0; id < 700; id++) void store.commit([addMessage(id, "words ".repeat(1_300))]);
    await store.close();
    const workerFile = new URL("../../support/storage/slowReadingWorker.ts", import.meta.url).pathname;
    const slow = await openStore(suite.path, { workerFile, silenceLimitMs: 3_000 });
    const began = performance.now();
    assert.deepEqual(await slow.erase(erasureOf([3], () => "")), { ok: true, value: undefined });
    assert.ok(performance.now() - began > 3_500, "it took long");
    await slow.close();
  });
});
