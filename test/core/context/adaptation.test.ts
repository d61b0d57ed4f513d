import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import type { ContextAdaptation } from "../../../src/core/context/contextAdaptation.ts";
import { TestConversation } from "../../support/conversation.ts";

describe("ContextManager.switchModel", () => {
  const check = (
    title: string,
    input: { script: string; from: string; to: string },
    expected: ContextAdaptation,
  ): void => {
    it(title, () => {
      const conversation = new TestConversation({ model: input.from }).play(input.script);
      const sent = conversation.sent();
      const preview = conversation.manager.previewModel(modelId(input.to));
      assert.deepEqual(preview.adaptation, expected);
      assert.equal(conversation.sent(), sent, "a preview changes nothing");
      assert.deepEqual(conversation.manager.switchModel(modelId(input.to)), expected);
    });
  };
  const down = { kind: "shrinking", oldBudget: 129_200, newBudget: 3_892 } as const;
  check("changes nothing for the same model", { script: "3*50/50", from: "small", to: "small" }, { kind: "noChange" });
  check("shrinks", { script: "3*50/50", from: "large", to: "small" }, { ...down, needsSummarization: false });
  check(
    "shrinks to where it does not fit",
    { script: "30*200/200", from: "large", to: "small" },
    { ...down, needsSummarization: true },
  );
  check(
    "shrinks to where it can not fit",
    { script: "u5000 a5000", from: "large", to: "small" },
    { ...down, needsSummarization: true },
  );
  check(
    "expands",
    { script: "3*50/50", from: "small", to: "large" },
    { kind: "expanding", oldBudget: 3_892, newBudget: 129_200, canRestore: 0 },
  );
  check(
    "expands and brings originals back",
    { script: "5*300/300 S0-5:100", from: "small", to: "large" },
    { kind: "expanding", oldBudget: 3_892, newBudget: 129_200, canRestore: 6 },
  );
  check(
    "brings back what fits",
    { script: "8*600/600 S0-7:300 S8-11:300", from: "middle", to: "claude-odd" },
    { kind: "shrinking", oldBudget: 19_000, newBudget: 6_650, needsSummarization: false },
  );

  it("says beforehand what it will cost", () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200");
    const { tokensBefore, tokensAfter, calls, tooLarge } = conversation.manager.previewModel(modelId("small"));
    assert.deepEqual([tokensBefore, calls, tooLarge], [12_240, 1, undefined]);
    conversation.switchTo("small");
    conversation.compact("modelSwitch");
    assert.equal(conversation.ready().usage().usedTokens, tokensAfter);
  });

  it("says beforehand when it can not be", () => {
    const conversation = new TestConversation({ model: "large" }).play("u5000 a5000");
    const { tooLarge } = conversation.manager.previewModel(modelId("small"));
    assert.deepEqual(tooLarge, {
      code: "RECENT_TOO_LARGE",
      requiredTokens: 10_008,
      budgetTokens: 3_892,
      messageCount: 2,
      parts: [
        { kind: "message", label: "message 0", tokens: 5_004 },
        { kind: "message", label: "message 1", tokens: 5_004 },
      ],
    });
  });

  it("brings originals back byte for byte", async () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200");
    const first = await conversation.ready().apiMessages();
    conversation.switchTo("tiny");
    conversation.compact("modelSwitch");
    assert.equal(conversation.manager.prepare().kind, "ready");
    conversation.switchTo("large");
    assert.deepEqual(await conversation.ready().apiMessages(), first);
  });
});
