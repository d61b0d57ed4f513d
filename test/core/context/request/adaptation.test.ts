/** Spec §8: effect of a model switch, and its preview. */

import assert from "node:assert/strict";
import { modelId } from "../../../../src/core/ids.ts";
import type { ContextAdaptation } from "../../../../src/core/context/request/switchPreview.ts";
import { TestConversation } from "../../../support/session/conversation.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";

describe("§8 switchModel", () => {
  const check = (
    title: string,
    input: { script: string; from: string; to: string; strategy?: "slidingWindow" },
    expected: ContextAdaptation,
  ): void => {
    it(title, () => {
      const settings = input.strategy === undefined ? {} : { strategy: input.strategy };
      const conversation = new TestConversation({ model: input.from, settings }).play(input.script);
      const before = [conversation.sent(), conversation.manager.revision];
      const preview = runSync(conversation.manager.previewModelSwitch(modelId(input.to)));
      assert.deepEqual(preview.adaptation, expected);
      assert.deepEqual([conversation.sent(), conversation.manager.revision], before, "a preview changes nothing");
      assert.deepEqual(conversation.manager.switchModel(modelId(input.to)), expected);
    });
  };
  const down = { kind: "shrinking", oldBudget: 129_200, newBudget: 3_892 } as const;
  check("changes nothing for the same model", { script: "3*50/50", from: "small", to: "small" }, { kind: "noChange" });
  check(
    "shrinks to a window in which everything fits",
    { script: "3*50/50", from: "large", to: "small" },
    { ...down, needsSummarization: false },
  );
  check(
    "shrinks to a window that needs a summary",
    { script: "30*200/200", from: "large", to: "small" },
    { ...down, needsSummarization: true },
  );
  check(
    "shrinks to a window in which the reserve cannot fit",
    { script: `u10 t20:${Array<number>(100).fill(60).join(",")}`, from: "large", to: "small" },
    { ...down, needsSummarization: true },
  );
  check(
    "expands without originals to restore",
    { script: "3*50/50", from: "small", to: "large" },
    { kind: "expanding", oldBudget: 3_892, newBudget: 129_200, canRestore: 0 },
  );
  check(
    "expands and restores originals",
    { script: "5*300/300 S0-5:100", from: "small", to: "large" },
    { kind: "expanding", oldBudget: 3_892, newBudget: 129_200, canRestore: 6 },
  );
  check(
    "shrinks without a summary when existing ones are enough",
    { script: "8*600/600 S0-7:300 S8-11:300", from: "middle", to: "claude-odd" },
    { kind: "shrinking", oldBudget: 19_000, newBudget: 6_650, needsSummarization: false },
  );

  check(
    "expands to the request that the conversation had with the model before",
    { script: "8*600/600 S0-7:300 model:large model:small S8-11:300", from: "middle", to: "middle" },
    { kind: "expanding", oldBudget: 3_892, newBudget: 19_000, canRestore: 4 },
  );
  check(
    "expands the window of slidingWindow",
    { script: "40*200/200", from: "small", to: "large", strategy: "slidingWindow" },
    { kind: "expanding", oldBudget: 3_892, newBudget: 129_200, canRestore: 1 },
  );

  it("previews no calls for the current model", () => {
    const { manager } = new TestConversation().play("8*200/200 S0-3:100");
    const { tokensBefore, tokensAfter, calls } = runSync(manager.previewModelSwitch(modelId("small")));
    assert.deepEqual([tokensBefore, tokensAfter, calls], [2_576, 2_576, 0]);
  });

  it("fits 1,000 turns into the smallest window before its first request", () => {
    const conversation = new TestConversation({ model: "large" }).play("1000*60/60");
    const preview = runSync(conversation.manager.previewModelSwitch(modelId("tiny")));
    conversation.switchTo("tiny");
    let calls = 0;
    conversation.compactWith("modelSwitch", ({ targetTokens }) => {
      calls++;
      return targetTokens;
    });
    assert.equal(conversation.manager.prepare().kind, "ready");
    assert.deepEqual([calls, conversation.ready().usage().usedTokens], [preview.calls, preview.tokensAfter]);
  });

  it("previews the calls and the tokens after them", () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200");
    const { tokensBefore, tokensAfter, calls, outcome } = runSync(
      conversation.manager.previewModelSwitch(modelId("small")),
    );
    assert.deepEqual([tokensBefore, calls, outcome.kind], [12_240, 1, "summarized"]);
    conversation.switchTo("small");
    conversation.compact("modelSwitch");
    assert.equal(conversation.ready().usage().usedTokens, tokensAfter);
  });

  it("previews the error when the reserve cannot fit", () => {
    const results = Array<number>(100).fill(60);
    const conversation = new TestConversation({ model: "large" }).play(`u10 t20:${results.join(",")}`);
    const { outcome } = runSync(conversation.manager.previewModelSwitch(modelId("small")));
    const part = (id: number, tokens: number): object => ({ kind: "message", label: `message ${id}`, tokens });
    const error = {
      code: "RECENT_TOO_LARGE",
      requiredTokens: 4_038,
      budgetTokens: 3_892,
      messageCount: 102,
      parts: [...results.map((_, at) => part(at + 3, 40)), part(2, 24), part(1, 14)],
    };
    assert.deepEqual(outcome, { kind: "tooLarge", error });
  });

  it("sends exactly the first request again after a chain of switches", async () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200 2*60/60");
    const first = await conversation.ready().apiMessages();
    for (const model of ["middle", "small", "tiny", "claude-odd", "tiny", "middle", "large"]) {
      conversation.switchTo(model);
      conversation.compact("modelSwitch");
      assert.equal(conversation.manager.prepare().kind, "ready", model);
    }
    assert.deepEqual(await conversation.ready().apiMessages(), first);
  });

  it("restores originals byte for byte", async () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200");
    const first = await conversation.ready().apiMessages();
    conversation.switchTo("tiny");
    conversation.compact("modelSwitch");
    assert.equal(conversation.manager.prepare().kind, "ready");
    conversation.switchTo("large");
    assert.deepEqual(await conversation.ready().apiMessages(), first);
  });
});
