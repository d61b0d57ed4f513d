import assert from "node:assert/strict";
import { foldIndex } from "../../../../src/host/transcript/foldIndex.ts";
import { TestConversation } from "../../../support/conversation.ts";
import { MemoryStore, memoryDisk } from "../../../support/memoryStore.ts";

/** A conversation on a disk, and an empty one that is to become the same. */
function storedAndEmpty(script: string): {
  readonly stored: TestConversation;
  readonly empty: TestConversation;
  store: MemoryStore;
} {
  const stored = new TestConversation().play(script);
  const store = new MemoryStore({ ...memoryDisk(), records: stored.records });
  return { stored, store, empty: new TestConversation() };
}

describe("foldIndex", () => {
  it("takes in all records, and says behind which message a model was chosen", async () => {
    const { stored, store, empty } = storedAndEmpty("9*200/200 S0-3:100 model:large 2*50/50 model:small");
    const folded = await foldIndex(store, empty.manager);
    assert.deepEqual(folded.ok && folded.value.map(({ behind, record }) => `${behind} ${record.model}`), [
      "17 large",
      "21 small",
    ]);
    assert.equal(empty.manager.prepare().kind, stored.manager.prepare().kind);
    assert.deepEqual(empty.manager.history.entries, stored.manager.history.entries);
  });

  it("gives way as soon as it has worked for eight milliseconds", async () => {
    const { store, empty } = storedAndEmpty("3000*1/1");
    let nowMs = 0;
    let sliceStartMs = 0;
    const slicesMs: number[] = [];
    await foldIndex(store, empty.manager, {
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

  it("ends where the store cannot be read", async () => {
    const { empty } = storedAndEmpty("");
    const error = { code: "STORAGE_FAILED", reason: "damaged", detail: "" } as const;
    const store = {
      shape: { messageCount: 1, recordCount: 1, draft: "", journal: [] },
      readIndex: () => Promise.resolve({ ok: false, error } as const),
    };
    assert.deepEqual(await foldIndex(store, empty.manager), { ok: false, error });
  });
});
