import assert from "node:assert/strict";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { modelId } from "../../../src/core/ids.ts";
import { replayRecords } from "../../../src/host/opening/replayRecords.ts";
import { TestConversation } from "../../support/session/conversation.ts";
import { MemoryStore, memoryDisk } from "../../support/storage/memoryStore.ts";
import { shortSegment } from "../../support/session/shortSegment.ts";

/** A stored conversation, and an empty one to replay its records into. */
function storedAndEmpty(script: string): {
  readonly stored: TestConversation;
  readonly empty: TestConversation;
  store: MemoryStore;
} {
  const stored = new TestConversation().play(script);
  const store = new MemoryStore(memoryDisk(stored.records));
  return { stored, store, empty: new TestConversation() };
}

/** Records in which each answer's entry names the model that wrote it. */
function signed(records: readonly ConversationRecord[]): ConversationRecord[] {
  let model = modelId("small");
  return records.map((record) => {
    if (record.kind === "model") model = record.model;
    const isAnswer = record.kind === "message" && record.entry.role === "assistant";
    return isAnswer ? { ...record, entry: { ...record.entry, model } } : record;
  });
}

describe("replayRecords", () => {
  it("applies all records, and tells after which message a model was chosen", async () => {
    const { stored, store, empty } = storedAndEmpty("9*200/200 S0-3:100 model:large 2*50/50 model:small");
    const folded = await replayRecords(store, () => empty.manager);
    assert.ok(folded.ok);
    assert.deepEqual(
      folded.value.history.modelChoices.map(({ after, record }) => `${after} ${record.model}`),
      ["17 large", "21 small"],
    );
    assert.equal(empty.manager.prepare().kind, stored.manager.prepare().kind);
    assert.deepEqual(empty.manager.history.entries, stored.manager.history.entries);
  });

  it("places a model choice after the last visible message, not after one on a hidden branch", async () => {
    const { store, empty } = storedAndEmpty("3*50/50 hide2-5 2*50/50 hide6-9 show2-5 model:large");
    const folded = await replayRecords(store, () => empty.manager);
    assert.deepEqual(folded.ok && folded.value.history.modelChoices.map(({ after }) => after), [5]);
  });

  describe("sends the same context again, whichever model is the default now", () => {
    for (const [script, chosen] of [
      ["9*200/200", "recorded"],
      ["9*200/200 S0-9:100", "recorded"],
      ["9*200/200 S0-9:100 model:large", "recorded"],
      ["9*200/200 S0-9:100 model:large 2*50/50", "recorded"],
      ["9*200/200 S0-9:100 model:large u50", "automatic"],
      ["9*200/200 S0-9:100 model:large 2*50/50", "automatic"],
      ["9*200/200 S0-9:100 model:middle 2*50/50 S0-13:90 model:large 50/50", "automatic"],
      ["model:large 14*90/90 model:small u50 S0-9:90 a50 50/50", "automatic"],
      ["9*200/200 model:tiny S0-17:60", "recorded"],
    ] as const) {
      for (const now of ["small", "large", "tiny"]) {
        it(`${script}, ${chosen}; now ${now}`, async () => {
          const stored = new TestConversation().play(script);
          const records = signed(stored.records).filter(({ kind }) => chosen === "recorded" || kind !== "model");
          const store = new MemoryStore(memoryDisk(records));
          const folded = await replayRecords(store, (model = modelId(now)) => new TestConversation({ model }).manager);
          assert.ok(folded.ok);
          const manager = folded.value;
          manager.switchModel(stored.manager.model);
          const prepared = manager.prepare();
          const sent =
            prepared.kind === "ready" ? prepared.context.segments.map(shortSegment).join(" ") : prepared.kind;
          assert.equal(sent, stored.sent());
        });
      }
    }
  });

  it("yields as soon as it has worked for eight milliseconds", async () => {
    const { store, empty } = storedAndEmpty("3000*1/1");
    let nowMs = 0;
    let sliceStartMs = 0;
    const slicesMs: number[] = [];
    await replayRecords(store, () => empty.manager, {
      // Every record takes a quarter of a millisecond here.
      nowMs: () => (nowMs += 0.25),
      yieldToHost: () => {
        slicesMs.push(nowMs - sliceStartMs);
        nowMs += 1_000;
        sliceStartMs = nowMs;
        return Promise.resolve();
      },
    });
    assert.equal(empty.manager.history.length, 6_000);
    assert.ok(
      slicesMs.length > 150 && Math.max(...slicesMs) < 16,
      `${slicesMs.length} slices of ${Math.max(...slicesMs)} ms`,
    );
  });

  it("fails when the store cannot be read", async () => {
    const { empty } = storedAndEmpty("");
    const error = { code: "STORAGE_FAILED", reason: "damaged", detail: "" } as const;
    const store = {
      shape: { messageCount: 1, recordCount: 1, draft: "", journal: [] },
      readIndex: () => Promise.resolve({ ok: false, error } as const),
    };
    assert.deepEqual(await replayRecords(store, () => empty.manager), { ok: false, error });
  });
});
