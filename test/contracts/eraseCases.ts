import assert from "node:assert/strict";
import { erasurePlaceholder, makeErasure, type Erasure } from "../../src/core/history/erasure.ts";
import type { ConversationRecord, IndexRecord } from "../../src/core/history/records.ts";
import { ERASED_SUMMARY, type Summary } from "../../src/core/history/summaries/summary.ts";
import { messageId, summaryId, type StepId } from "../../src/core/ids.ts";
import type { ConversationStore, StoreWrite } from "../../src/core/store/conversationStore.ts";
import { addMessage, addRow, messageRecord, step } from "../support/storage/storeBuilders.ts";

/** The store under test. `reopen` closes it and opens it again. */
export interface ErasedStore {
  readonly store: () => ConversationStore;
  readonly reopen: () => Promise<void>;
}

export function summaryRecord(id: number, start: number, end: number, content: string): ConversationRecord {
  const tokens = { cl100k: 5, o200k: 4 };
  const made = {
    tokenCount: tokens,
    originalTokens: tokens,
    createdAtMs: 2,
    generatedBy: "extract",
    sourceHash: "abc",
  };
  const covers = { start: messageId(start), end: messageId(end) };
  const facts = { factsKept: 1, factsTotal: 2, state: "active" } as const;
  const summary: Summary = { id: summaryId(id), covers, level: 1, kind: "conversation", content, ...made, ...facts };
  return { kind: "summary", summary };
}

/** An erasure of messages made by `messageRecord`; `from` is their step if they were streamed. */
export function erasureOf(
  ids: readonly number[],
  texts: (id: number) => string,
  { from, ...rest }: Partial<Pick<Erasure, "steps" | "draft">> & { readonly from?: StepId } = {},
): Erasure {
  const erased = ids.map((id) => {
    const { entry, message } = messageRecord(id, texts(id), from);
    return { entry, message: erasurePlaceholder(message), tokens: { cl100k: 7, o200k: 7 } };
  });
  return makeErasure(erased, { atMs: 9, ...rest });
}

export function eraseCases({ store, reopen }: ErasedStore): void {
  const text = (id: number): string => `message ${id} about the sesame`;
  const titles: readonly ConversationRecord[] = [
    { kind: "title", title: "about the sesame", by: "automatic", atMs: 1 },
    { kind: "title", title: "Given", by: "user", atMs: 2 },
  ];
  const writes: readonly StoreWrite[] = [
    ...[0, 1, 2, 3].map((id) => addMessage(id, text(id))),
    ...[...titles, summaryRecord(0, 0, 2, "sesame of 0"), summaryRecord(1, 2, 4, "sesame of 2")].map(
      (record) => ({ kind: "record", record }) as const,
    ),
    ...[addRow(step(1), 0, "sesame"), addRow(step(1), 1, "sesame"), addRow(step(2), 0, "kept")],
    { kind: "draft", text: "sesame" },
  ];
  const found = async (): Promise<readonly number[]> => {
    const hits = await store().search("sesame", { limit: 10 });
    return hits.ok ? hits.value.map(({ id }) => id) : [];
  };
  const contents = async () => {
    const [index, messages] = [
      await store().readIndex(0, 100),
      await store().readMessages([0, 1, 2, 3].map(messageId)),
    ];
    assert.ok(index.ok && messages.ok);
    return { index: index.value, messages: messages.value };
  };

  it("erases the text of messages and everything derived from it, and stays usable", async () => {
    await store().commit(writes);
    const erasure = erasureOf([1, 2], text, { steps: [step(1)] });
    assert.deepEqual(await store().erase(erasure), { ok: true, value: undefined });
    assert.ok((await store().commit([addMessage(4, "after"), addRow(step(2), 1)])).ok);
    for (const look of ["at once", "after the next opening"]) {
      if (look !== "at once") await reopen();
      const { index, messages } = await contents();
      assert.deepEqual(
        messages.map(({ entry, message }) => [entry, message]),
        [0, 1, 2, 3].map((id) => {
          const place = erasure.record.entries.findIndex((entry) => entry.id === id);
          const kept = messageRecord(id, text(id));
          return [erasure.record.entries[place] ?? kept.entry, erasure.messages[place] ?? kept.message];
        }),
        look,
      );
      assert.deepEqual(index.filter(({ kind }) => kind !== "entry").map(wordsOf), [
        ...["", "Given", ERASED_SUMMARY, ERASED_SUMMARY, "erasure"],
      ]);
      assert.deepEqual(index.at(-2), erasure.record, look);
      assert.deepEqual(await found(), [3, 0], look);
    }
    assert.deepEqual(
      [store().shape.draft, store().shape.journal.map(({ stepId, seq }) => [stepId, seq])],
      ["", [step(2), step(2)].map((id, seq) => [id, seq])],
    );
  });

  it("preserves the draft from the moment of erasing", async () => {
    await store().commit(writes);
    assert.ok((await store().erase(erasureOf([1], text, { draft: "being typed" }))).ok);
    await reopen();
    assert.equal(store().shape.draft, "being typed");
  });

  it("preserves earlier commits, in call order", async () => {
    await store().commit(writes);
    const answers = [
      store().commit([addMessage(4, "before")]),
      store().erase(erasureOf([0], text)),
      store().commit([addMessage(5, "behind")]),
      store().erase(erasureOf([5], () => "behind")),
    ];
    assert.deepEqual(
      (await Promise.all(answers)).map(({ ok }) => ok),
      [true, true, true, true],
    );
    await reopen();
    assert.equal(store().shape.messageCount, 6);
    const read = await store().readMessages([4, 5].map(messageId));
    assert.deepEqual(read.ok && read.value.map(({ message }) => message), [
      messageRecord(4, "before").message,
      erasurePlaceholder(messageRecord(5).message),
    ]);
  });
}

function wordsOf(record: IndexRecord): string {
  if (record.kind === "title") return record.title;
  return record.kind === "summary" ? record.summary.content : record.kind;
}
