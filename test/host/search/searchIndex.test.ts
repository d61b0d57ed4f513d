/** The index over all conversations, in its thread and on real files. */

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ConversationListing } from "../../../src/adapters/node/conversationFolders.ts";
import { systemClock } from "../../../src/adapters/node/clock.ts";
import { recallSetting } from "../../../src/core/history/recallState.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { messageId, parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import { writeMeta } from "../../../src/adapters/node/conversationMeta.ts";
import { ok } from "../../../src/core/result.ts";
import { listedConversations } from "../../../src/host/conversations/list/listedConversations.ts";
import { SearchIndex } from "../../../src/host/search/searchIndex.ts";
import type { IndexQuery } from "../../../src/host/search/searchIndexProtocol.ts";
import { buildDist } from "../../support/session/openConversations.ts";
import { openStore } from "../../support/storage/sqliteStore.ts";
import { addMessage, messageRecord, temporaryFolder } from "../../support/storage/storeBuilders.ts";

function idOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(id);
  return id;
}

describe("the index over all conversations", function () {
  this.timeout(60_000);
  const shipped = temporaryFolder();
  let storage: ReturnType<typeof temporaryFolder>;
  let index: SearchIndex;
  let log: string[];
  before(() => buildDist(shipped.path));
  after(() => {
    shipped.remove();
  });
  beforeEach(() => {
    storage = temporaryFolder();
    log = [];
    index = openIndex();
  });
  afterEach(async () => {
    await index.dispose();
    storage.remove();
    assert.deepEqual(log, []);
  });

  const openIndex = (): SearchIndex =>
    new SearchIndex({
      storage: storage.path,
      dist: shipped.path,
      clock: systemClock,
      log: { info: (line) => log.push(line) },
    });

  const folderOf = (number: number): string => path.join(storage.path, "conversations", idOf(number));

  async function make(number: number, texts: readonly string[]): Promise<void> {
    mkdirSync(folderOf(number), { recursive: true });
    const store = await openStore(folderOf(number));
    assert.ok((await store.commit(texts.map((text, id) => addMessage(id, text)))).ok);
    assert.ok((await store.close()).ok);
  }

  /** As the list tells them, with these numbers of messages. */
  const list = (counts: readonly number[]): readonly ConversationListing[] =>
    counts.map((count, number) => ({
      id: idOf(number),
      folder: folderOf(number),
      lastUsedAtMs: 0,
      sizeBytes: 1,
      openIn: "free",
      meta: {
        version: 1,
        title: "",
        createdAtMs: 0,
        lastUsedAtMs: 0,
        messageCount: count,
        recordCount: count,
        provider: "anthropic",
        model: "m",
        usage: { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 },
        undecided: 0,
      },
    }));

  async function find(question: string, options: Partial<IndexQuery> = {}, cancel = new AbortController().signal) {
    const found: Record<number, readonly number[]> = {};
    const query = { question, isOpen: false, needsAll: false, hitsEach: 10, conversationLimit: 10, ...options };
    const unreadable = await index.search(query, {
      cancel,
      found: (conversation, hits) =>
        (found[Number(conversation.slice(-12))] = hits.map(({ id }) => Number(id)).toSorted()),
    });
    return { found, unreadable };
  }

  /** Adds records to a closed conversation. */
  async function change(number: number, ...records: readonly ConversationRecord[]): Promise<void> {
    const store = await openStore(folderOf(number));
    assert.ok((await store.commit(records.map((record) => ({ kind: "record", record })))).ok);
    assert.ok((await store.close()).ok);
  }

  /** Those of these messages that a model may read. */
  async function read(number: number, ids: readonly number[]) {
    const page = await index.read(idOf(number), ids.map(messageId), new AbortController().signal);
    return page && { texts: page.messages.map(({ message }) => textOf(message)), messageCount: page.messageCount };
  }

  const segments = (): readonly string[] => {
    const folder = path.join(storage.path, "search");
    return (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith(".segment"));
  };

  async function filled(): Promise<void> {
    while (!existsSync(path.join(storage.path, "search", "segments.json"))) await wait(20);
  }

  const bytes = (): string => {
    const folder = path.join(storage.path, "search");
    return readdirSync(folder)
      .map((name) => readFileSync(path.join(folder, name), "latin1"))
      .join("\n");
  };

  const TEXTS = [
    ["Where do we retry?", "In the pool, with a budget of three."],
    ["Retries cost money", "The budget is spent"],
    ["Nothing of it => here"],
  ];

  async function makeAll(): Promise<void> {
    for (const [number, texts] of TEXTS.entries()) await make(number, texts);
    index.setConversations(list(TEXTS.map(({ length }) => length)));
  }

  it("tells who wrote what it finds, and digests a conversation that no window has open", async () => {
    await makeAll();
    const never = new AbortController().signal;
    const entries: unknown[] = [];
    const query = { question: "pool", isOpen: false, needsAll: true, hitsEach: 10, conversationLimit: 10 };
    await index.search(query, {
      cancel: never,
      found: (_, hits) => entries.push(...hits.map(({ entry }) => entry.role)),
    });
    assert.deepEqual(entries, ["user"]);
    const digested = async (number: number, matches?: readonly number[]) =>
      (await index.digest(idOf(number), 1_000, matches?.map(messageId), never))?.items.map(({ text }) => text);
    assert.deepEqual(await digested(0), TEXTS[0]);
    assert.deepEqual(await digested(1, [1]), TEXTS[1]);
    assert.equal(await digested(9), undefined);
    index.leave(idOf(0));
    assert.equal(await digested(0), undefined);
  });

  it("finds the same before and after it is filled", async () => {
    await makeAll();
    const questions: readonly [
      question: string,
      options: Partial<IndexQuery>,
      found: Record<number, readonly number[]>,
    ][] = [
      ["retry budget", {}, { 0: [0, 1], 1: [0, 1] }],
      ["retried", { needsAll: true }, { 0: [0], 1: [0] }],
      ["the pool budg", { isOpen: true, needsAll: true }, { 0: [1] }],
      ["=>", {}, { 2: [0] }],
      ["absent", {}, {}],
    ];
    for (const [question, options, found] of questions) {
      assert.deepEqual(await find(question, options), { found, unreadable: 0 }, question);
    }
    await filled();
    for (const [question, options, found] of questions) {
      assert.deepEqual(await find(question, options), { found, unreadable: 0 }, `${question}, filled`);
    }
  });

  it("ranks the messages of some conversations, also those that have only some of the words", async () => {
    await makeAll();
    const among = [idOf(0), idOf(2)];
    const expected = { found: { 0: [0, 1] }, unreadable: 0 };
    assert.deepEqual(await find("where is the budget of retries", { among }), expected);
    await filled();
    assert.deepEqual(await find("where is the budget of retries", { among }), expected);
    assert.deepEqual(await find("budget", { among: [] }), { found: {}, unreadable: 0 });
  });

  it("tells a model nothing that is hidden or left out", async () => {
    for (const [number, texts] of TEXTS.entries()) await make(number, texts);
    const { entry } = messageRecord(2);
    const attachment = { kind: "attachment", label: "a.ts", text: "our budget" } as const;
    await change(
      0,
      { kind: "message", entry, message: { role: "user", parts: [attachment] } },
      { kind: "visibility", range: { start: messageId(0), end: messageId(2) }, hidden: true, atMs: 1 },
      { kind: "leftOut", id: messageId(2), leftOut: [0], atMs: 1 },
    );
    await change(1, recallSetting(true, 1));
    index.setConversations(list([3, 2, 1]));
    for (const isFilled of [false, true]) {
      if (isFilled) await filled();
      assert.deepEqual((await find("budget retry")).found, { 0: [0, 1, 2], 1: [0, 1] });
      assert.deepEqual((await find("budget retry", { isForModel: true })).found, {}, `filled: ${String(isFilled)}`);
    }
    assert.deepEqual(await read(1, [0]), undefined);
    assert.deepEqual(await read(0, [0, 1, 2, 7]), {
      texts: ['[The user has taken the attachment "a.ts" out of the conversation.]'],
      messageCount: 3,
    });
    await change(1, recallSetting(true, 2), recallSetting(false, 3));
    assert.deepEqual((await find("budget retry", { isForModel: true })).found, { 1: [0, 1] });
    assert.deepEqual(await read(1, [1]), { texts: ["The budget is spent"], messageCount: 2 });
  });

  it("reads nothing of a conversation that another window has open", async () => {
    await makeAll();
    index.setConversations(list([2]).map((listing) => ({ ...listing, openIn: "alive" as const })));
    assert.deepEqual(await read(0, [0]), undefined);
  });

  it("is right in another window, and after a damaged segment", async () => {
    await makeAll();
    await filled();
    await index.dispose();
    const [name] = segments();
    assert.ok(name !== undefined);
    const file = path.join(storage.path, "search", name);
    const whole = readFileSync(file);
    whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 0xff;
    writeFileSync(file, whole);
    index = openIndex();
    index.setConversations(list([2, 2, 1]));
    assert.deepEqual(await find("budget"), { found: { 0: [0, 1], 1: [0, 1] }, unreadable: 0 });
    while (segments().includes(name) || segments().length === 0) await wait(20);
    assert.deepEqual((await find("budget")).found, { 0: [0, 1], 1: [0, 1] });
  });

  it("names nothing of a conversation that is gone, and keeps no word of one that is forgotten", async () => {
    await makeAll();
    await filled();
    assert.deepEqual([bytes().includes("money"), bytes().includes("pool")], [true, true]);
    renameSync(folderOf(1), path.join(storage.path, "gone"));
    await index.forget([idOf(1)]);
    assert.deepEqual([bytes().includes("money"), bytes().includes("pool")], [false, true]);
    index.setConversations(list([2]));
    assert.deepEqual(await find("budget"), { found: { 0: [0, 1] }, unreadable: 0 });
  });

  it("reads a log left by a crash, and counts what cannot be read", async () => {
    mkdirSync(folderOf(0), { recursive: true });
    const store = await openStore(folderOf(0));
    assert.ok((await store.commit([addMessage(0, "hay"), addMessage(1, "a needle")])).ok);
    cpSync(folderOf(0), folderOf(1), { recursive: true }); // the files as they are before closing
    assert.ok((await store.close()).ok);
    mkdirSync(folderOf(2), { recursive: true });
    writeFileSync(path.join(folderOf(2), "conversation.sqlite"), "no database, but long enough to be looked at");
    index.setConversations(list([2, 2, 1, 1]));
    assert.deepEqual(await find("needle", { needsAll: true }), { found: { 0: [1], 1: [1] }, unreadable: 2 });
  });

  it("ends a search that is cancelled", async () => {
    await makeAll();
    const cancel = new AbortController();
    const finding = find("budget", {}, cancel.signal);
    cancel.abort();
    assert.deepEqual(await finding, { found: {}, unreadable: undefined });
    assert.deepEqual((await find("budget", {}, cancel.signal)).unreadable, undefined);
  });

  describe("with the listings", () => {
    const TITLES = ["Planning the harvest", "Letters to the council"];
    const SETTLING_MS = 3_200;

    async function listAndSave(): Promise<void> {
      const cache = await index.readListings();
      const listed = await listedConversations(path.join(storage.path, "conversations"), new Set(), cache);
      assert.equal(listed.ok && listed.value.length, TITLES.length);
      await index.saveListings(cache);
    }

    beforeEach(async () => {
      for (const [number, title] of TITLES.entries()) {
        await make(number, ["Some words"]);
        const { meta } = list([1])[0] ?? {};
        assert.ok(meta && (await writeMeta(folderOf(number), { ...meta, title })).ok);
      }
      await wait(SETTLING_MS);
      await listAndSave();
    });

    it("forgets the title of a conversation that is gone", async () => {
      renameSync(folderOf(1), path.join(storage.path, "gone"));
      await index.forget([idOf(1)]);
      assert.deepEqual(
        TITLES.map((title) => bytes().includes(title)),
        [true, false],
      );
    });

    it("forgets the title of a conversation of which a message was erased, until it is listed anew", async () => {
      await index.forget([idOf(1)]);
      assert.deepEqual(
        TITLES.map((title) => bytes().includes(title)),
        [true, false],
      );
      await listAndSave();
      assert.ok(bytes().includes(TITLES[1] ?? ""));
    });

    it("leaves nothing when everything is erased while the list is saved", async () => {
      const cache = await index.readListings();
      await listedConversations(path.join(storage.path, "conversations"), new Set(), cache);
      const saved = index.saveListings(cache);
      for (const number of TITLES.keys()) renameSync(folderOf(number), path.join(storage.path, `gone${number}`));
      assert.deepEqual(await index.erase(), ok(undefined));
      await saved;
      assert.ok(!existsSync(path.join(storage.path, "search")));
    });
  });
});
