import assert from "node:assert/strict";
import { NOT_COPIED, type Fork } from "../../src/core/history/fork.ts";
import type {
  ConversationRecord,
  ExclusionRecord,
  IndexRecord,
  UsageRecord,
  VisibilityRecord,
} from "../../src/core/history/records.ts";
import { messageId, modelId } from "../../src/core/ids.ts";
import type { StoredMessage } from "../../src/core/message.ts";
import type { ConversationStore } from "../../src/core/store/conversationStore.ts";
import { addMessage, addRow, messageRecord, step } from "../support/storage/storeBuilders.ts";
import { summaryRecord } from "./eraseCases.ts";

/** The store under test, and the folder for its fork. */
export interface ForkedStore {
  readonly store: () => ConversationStore;
  readonly forkFolder: () => string;
  readonly openFork: () => Promise<ConversationStore>;
}

const usage = (message: number): UsageRecord => ({
  kind: "usage",
  message: messageId(message),
  model: modelId("m"),
  inputTokens: 5,
  outputTokens: 4,
  cacheReadTokens: 3,
  cacheWriteTokens: 2,
  atMs: 1,
});
const visibility = (start: number, end: number, hidden: boolean): VisibilityRecord => ({
  kind: "visibility",
  range: { start: messageId(start), end: messageId(end) },
  hidden,
  atMs: 2,
});
const leftOut = (id: number): ExclusionRecord => ({ kind: "leftOut", id: messageId(id), leftOut: [0], atMs: 3 });
const TEXTS = ["ab\ud83d", "\0 zero", "über 😀", "last"];
const message = (id: number) => messageRecord(id, TEXTS[id], id === 1 ? step(1) : undefined);
const entry = (id: number): IndexRecord => ({ kind: "entry", entry: message(id).entry });

const WRITTEN: readonly ConversationRecord[] = [
  message(0),
  { kind: "setting", name: "grant.tool", value: "always", atMs: 1 },
  usage(1),
  message(1),
  usage(1),
  summaryRecord(0, 0, 2, "of the first two"),
  visibility(0, 2, true),
  message(2),
  usage(2),
  { kind: "pin", id: messageId(2), pinned: true, atMs: 1 },
  message(3),
  usage(4),
  { kind: "model", provider: "p", model: modelId("m"), atMs: 1 },
  visibility(1, 4, false),
  visibility(3, 4, true),
  leftOut(2),
  leftOut(3),
];
const ADDED: Fork["records"] = [
  { kind: "title", title: "Fork", by: "user", atMs: 9 },
  { kind: "setting", name: "origin", value: "{}", atMs: 9 },
];

const inOrigin = (message: number): IndexRecord => ({ ...usage(message), inOrigin: true });
/** The records that a fork before each message copies. */
const COPIED: readonly (readonly IndexRecord[])[] = [
  [],
  [entry(0), NOT_COPIED, NOT_COPIED, visibility(0, 1, true)],
  [
    ...[entry(0), NOT_COPIED, inOrigin(1), entry(1), inOrigin(1), NOT_COPIED, visibility(0, 2, true)],
    visibility(1, 2, false),
  ],
  [
    ...[entry(0), NOT_COPIED, inOrigin(1), entry(1), inOrigin(1), NOT_COPIED, visibility(0, 2, true)],
    ...[entry(2), inOrigin(2), NOT_COPIED, visibility(1, 3, false), leftOut(2)],
  ],
  [
    ...[entry(0), NOT_COPIED, inOrigin(1), entry(1), inOrigin(1), NOT_COPIED, visibility(0, 2, true)],
    ...[entry(2), inOrigin(2), NOT_COPIED, entry(3), NOT_COPIED, NOT_COPIED],
    ...[visibility(1, 4, false), visibility(3, 4, true), leftOut(2), leftOut(3)],
  ],
];

export function forkCases({ store, forkFolder, openFork }: ForkedStore): void {
  const write = async (...records: readonly ConversationRecord[]): Promise<void> => {
    assert.ok((await store().commit(records.map((record) => ({ kind: "record", record })))).ok);
  };
  const forked = async (end: number): Promise<void> =>
    assert.deepEqual(await store().fork({ end: messageId(end), records: ADDED }, forkFolder()), {
      ok: true,
      value: undefined,
    });

  for (const [end, copied] of COPIED.entries()) {
    it(`stores a fork before message ${end}, which goes on as a conversation of its own`, async () => {
      await write(...WRITTEN);
      const before = await contentOf(store());
      await forked(end);
      assert.deepEqual(await contentOf(store()), before, "the origin is unchanged");
      const fork = await openFork();
      assert.deepEqual(await contentOf(fork), {
        index: [...copied, ...ADDED],
        messages: WRITTEN.flatMap((record) =>
          record.kind === "message" && record.entry.id < end ? [{ entry: record.entry, message: record.message }] : [],
        ),
      });
      assert.ok((await fork.commit([addMessage(end, "of the fork", step(2))])).ok);
      await assert.rejects(fork.commit([addMessage(end + 2)]));
      assert.ok((await fork.close()).ok);
      assert.ok((await store().commit([addMessage(4, "of the origin", step(2))])).ok);
    });
  }

  it("copies neither the journal nor the draft", async () => {
    await store().commit([addMessage(0), addRow(step(1), 0), { kind: "draft", text: "being typed" }]);
    await forked(1);
    const fork = await openFork();
    assert.deepEqual(fork.shape, { messageCount: 1, recordCount: 3, draft: "", journal: [] });
    await fork.close();
  });

  it("finds in a fork what it has, and nothing of what follows", async () => {
    await store().commit([addMessage(0, "sesame oil"), addMessage(1, "sesame seed")]);
    await forked(1);
    const fork = await openFork();
    const found = await fork.search("sesame", { limit: 9 });
    assert.deepEqual(found, { ok: true, value: [{ id: 0, excerpt: "sesame oil" }] });
    await fork.close();
  });

  it("copies what was committed before, and commits meanwhile", async () => {
    await write(message(0), message(1));
    const answers = [
      store().commit([{ kind: "record", record: visibility(0, 1, true) }]),
      store().fork({ end: messageId(2), records: ADDED }, forkFolder()),
      store().commit([{ kind: "record", record: visibility(0, 1, false) }, addMessage(2)]),
    ];
    assert.deepEqual(
      (await Promise.all(answers)).map(({ ok }) => ok),
      [true, true, true],
    );
    const fork = await openFork();
    const { index } = await contentOf(fork);
    assert.deepEqual(index, [entry(0), entry(1), visibility(0, 1, true), ...ADDED]);
    await fork.close();
  });
}

async function contentOf(
  store: ConversationStore,
): Promise<{ readonly index: readonly IndexRecord[]; readonly messages: readonly StoredMessage[] }> {
  const index = await store.readIndex(0, 100);
  assert.ok(index.ok);
  const ids = index.value.flatMap((record) => (record.kind === "entry" ? [record.entry.id] : []));
  const messages = await store.readMessages(ids);
  assert.ok(messages.ok);
  return { index: index.value, messages: messages.value };
}
