import assert from "node:assert/strict";
import { Conversation, type Change } from "../../../src/core/conversation/conversation.ts";
import { storageFailed } from "../../../src/core/errors.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { modelId } from "../../../src/core/ids.ts";
import { TestConversation } from "../../support/session/conversation.ts";
import { MemoryStore, memoryDisk } from "../../support/storage/memoryStore.ts";

const setting = (value: string): ConversationRecord => ({ kind: "setting", name: "tone", value, atMs: 1 });
const model = (name: string): ConversationRecord => ({
  kind: "model",
  provider: "anthropic",
  model: modelId(name),
  atMs: 1,
});

function opened() {
  const disk = memoryDisk();
  const store = new MemoryStore(disk);
  const { manager } = new TestConversation({ model: "small" });
  const conversation = new Conversation(store, manager, { nowMs: () => 9, after: () => () => undefined });
  const effects: Change[] = [];
  conversation.setEffects([{ afterChange: (change) => void effects.push(change) }]);
  /** As short text. */
  const stored = (): readonly string[] =>
    disk.records.map((record) =>
      record.kind === "setting" ? record.value : record.kind === "model" ? record.model : record.kind,
    );
  return { store, manager, conversation, effects, stored };
}

describe("Conversation.changeAt", () => {
  it("stores the records where exactly so many are before them, and applies them before their effects", async () => {
    const { conversation, effects, stored } = opened();
    assert.deepEqual(await conversation.changeAt([setting("a"), setting("b")], 0), { ok: true, value: "stored" });
    assert.deepEqual(
      [stored(), conversation.recordCount, conversation.history.setting("tone"), effects],
      [["a", "b"], 2, "b", [{ records: [setting("a"), setting("b")] }]],
    );
  });

  for (const at of [0, 2]) {
    it(`changes nothing where ${at === 0 ? "more" : "fewer"} are stored`, async () => {
      const { conversation, effects, stored } = opened();
      await conversation.changeAt([setting("a")]);
      assert.deepEqual(await conversation.changeAt([setting("b")], at), { ok: true, value: "changed" });
      assert.deepEqual(
        [stored(), conversation.recordCount, conversation.history.setting("tone"), effects.length],
        [["a"], 1, "a", 1],
      );
    });
  }

  it("counts what was asked for before it", async () => {
    const { conversation, stored } = opened();
    const results = await Promise.all([
      conversation.change([setting("a")]),
      conversation.changeAt([setting("b")], 0),
      conversation.changeAt([setting("c")], 1),
      conversation.changeAt([setting("d")], 2),
    ]);
    assert.deepEqual(
      results.map((result) => result.ok && result.value),
      [undefined, "changed", "stored", "stored"],
    );
    assert.deepEqual(stored(), ["a", "c", "d"]);
  });

  it("puts no model before them, and leaves it to the next change", async () => {
    const { manager, conversation, stored } = opened();
    manager.switchModel(modelId("middle"));
    await conversation.changeAt([setting("a")], 0);
    await conversation.change([setting("b")]);
    assert.deepEqual(stored(), ["a", "middle", "b"]);
  });

  it("notes the model among them, which is in use from then on", async () => {
    const { manager, conversation, stored } = opened();
    await conversation.changeAt([model("middle"), setting("a")], 0);
    await conversation.change([setting("b")]);
    assert.deepEqual([stored(), manager.model], [["middle", "a", "b"], "middle"]);
    manager.switchModel(modelId("large"));
    await conversation.change([setting("c")]);
    assert.deepEqual(stored(), ["middle", "a", "b", "large", "c"]);
  });

  it("applies nothing that could not be stored", async () => {
    const { store, conversation, effects } = opened();
    store.failNext = storageFailed("ENOSPC", "full");
    const changed = await conversation.changeAt([setting("a")], 0);
    assert.deepEqual(
      [changed.ok, conversation.recordCount, conversation.history.setting("tone"), effects],
      [false, 0, undefined, []],
    );
    assert.deepEqual(await conversation.changeAt([setting("b")], 0), { ok: true, value: "stored" });
  });
});
