import assert from "node:assert/strict";
import fc from "fast-check";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { modelId } from "../../../src/core/ids.ts";
import { ModelChangeRecorder } from "../../../src/core/conversation/modelChangeRecorder.ts";
import { replayRecords } from "../../../src/host/opening/replayRecords.ts";
import { TestConversation } from "../../support/session/conversation.ts";
import { MemoryStore, memoryDisk } from "../../support/storage/memoryStore.ts";
import { operations, perform } from "../../support/storage/randomOperations.ts";

/** Stores records as the host does; each answer names its model. */
class StoredConversation extends TestConversation {
  readonly kept: ConversationRecord[] = [];
  readonly #models: ModelChangeRecorder;

  constructor(model = "small") {
    super({ model });
    this.#models = new ModelChangeRecorder(this.manager, { nowMs: () => 1 });
  }

  override store(record: ConversationRecord): void {
    const isAnswer = record.kind === "message" && record.entry.role === "assistant";
    const signed = isAnswer ? { ...record, entry: { ...record.entry, model: this.manager.model } } : record;
    const { records, confirm } = this.#models.withModel([signed]);
    this.kept.push(...records);
    confirm();
    super.store(signed);
  }

  /** Also accepts `set:large`, which changes the model in the settings. */
  override play(script: string): this {
    for (const word of script.split(" ")) {
      if (word.startsWith("set:")) this.manager.switchModel(modelId(word.slice("set:".length)));
      else super.play(word);
    }
    return this;
  }

  /** Request after a restart with the same model. */
  async sentAgain(): Promise<string> {
    const store = new MemoryStore({ ...memoryDisk(), records: this.kept });
    let again = new TestConversation();
    const folded = await replayRecords(store, (model = this.manager.model) => {
      again = new TestConversation({ model });
      return again.manager;
    });
    assert.ok(folded.ok);
    again.manager.switchModel(this.manager.model);
    return again.sent();
  }
}

describe("the request after a restart equals the one before it if the settings choose the model", () => {
  for (const [script, sent] of [
    ["9*50/50 set:middle S0-9:60", "S0[0-9] 10 11 12 13 14 15 16 17"],
    ["9*50/50 S0-9:60 set:middle undo0", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"],
    ["9*50/50 S0-9:60 set:middle set:small", "S0[0-9] 10 11 12 13 14 15 16 17"],
    ["9*50/50 S0-9:60 set:middle set:small pin3", "S0[0-9] 3 10 11 12 13 14 15 16 17"],
    ["9*50/50 set:middle S0-9:60 set:small S10-13:40 undo0", ""],
    ["9*50/50 S0-9:60 set:middle hide16-17 u20 a20 set:small", ""],
    ["9*50/50 S0-9:60 set:middle u20 set:large a20 set:small S10-13:40", ""],
    ["model:large 9*50/50 set:middle S0-9:60 50/50 set:small", ""],
    ["model:large 9*50/50 set:middle S0-9:60 50/50 set:large", ""],
  ] as const) {
    it(script, async () => {
      const live = new StoredConversation().play(script);
      if (sent !== "") assert.equal(live.sent(), sent);
      assert.equal(await live.sentAgain(), live.sent());
    });
  }

  it("after any sequence of operations", async () => {
    const model = fc.constantFrom("tiny", "small", "middle", "large");
    const step = fc.oneof({ weight: 1, arbitrary: operations }, { weight: 1, arbitrary: model });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, isChosen) => {
        const live = new StoredConversation().play("20/20");
        for (const each of steps) {
          if (typeof each === "string") live.play(`set:${each}`);
          else for (const operation of each) if (isChosen || operation.kind !== "switch") perform(operation, live);
          assert.equal(await live.sentAgain(), live.sent());
        }
      }),
      { seed: 1, numRuns: 60 },
    );
  });
});
