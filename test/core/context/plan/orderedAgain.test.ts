/** "Summarize" pressed again: the summaries are longer than their target, and there are no new messages. */

import assert from "node:assert/strict";
import { CONTEXT_POLICIES, sendsSummaries, type ContextPolicy } from "../../../../src/core/context/contextSettings.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { TestConversation } from "../../../support/session/conversation.ts";
import { loaded, saved } from "../../../support/session/savedConversations.ts";

/** Summarizes as by the user, with a model that writes as much as allowed; returns the number of calls. */
function press(conversation: TestConversation): number {
  const { manager } = conversation;
  const plan = manager.planCompaction("manual");
  if (plan === undefined) return 0;
  const tokensBefore = manager.usage().usedTokens;
  conversation.compactWith("manual", ({ maxTokens }) => maxTokens);
  const receipt = {
    ...{ summaries: [], span: { start: messageId(0), end: messageId(1) }, strategy: plan.steps[0]?.strategy ?? "" },
    ...({ trigger: "manual", tokensBefore, tokensAfter: manager.usage().usedTokens, model: "any" } as const),
    ...{ calls: plan.steps.length, durationMs: 1, factsKept: 0, factsTotal: 0, atMs: 1 },
  };
  conversation.store({ kind: "receipt", receipt });
  return plan.steps.length;
}

function pressed(strategy: ContextPolicy, script: string): readonly number[] {
  const conversation = new TestConversation({ model: "middle", settings: { strategy } }).play(script);
  return [1, 2, 3, 4, 5].map(() => press(conversation));
}

describe("summarizing again by the user", () => {
  const scripts: Readonly<Record<string, string>> = {
    "turns of one size": "60*100/400",
    "a pinned message between others": "12*90/700 pin9 pin15 u700 a4000 12*90/700 pin32 6*90/700 pin41 u2000 a1500",
    "tool batches between turns":
      "12*90/100 t20:9000,3000 a200 8*90/300 t20:8000 a300 t20:2000 a200 pin26 u3000 a2000 u100",
    "many pinned messages": "30*200/300 pin5 pin11 pin17 pin23 pin29 pin35 pin41 pin47 u3000 a4000",
  };
  for (const strategy of CONTEXT_POLICIES.filter(sendsSummaries)) {
    for (const [name, script] of Object.entries(scripts)) {
      it(`calls no model without a change: ${strategy}, ${name}`, () => {
        const [first = 0, ...others] = pressed(strategy, script);
        assert.ok(first > 0);
        assert.deepEqual(others, [0, 0, 0, 0]);
      });
    }
  }

  it("calls no model at all where summaries are never sent", () => {
    const strategies = CONTEXT_POLICIES.filter((policy) => !sendsSummaries(policy));
    const calls = strategies.map((strategy) => [strategy, pressed(strategy, "60*100/400")]);
    assert.deepEqual(calls, [["slidingWindow", [0, 0, 0, 0, 0]]]);
  });

  for (const [what, script] of [
    ["there are new messages", "12*300/500"],
    ["a summary was undone", "undo0"],
    ["a message was unpinned", "unpin9"],
    ["the model was switched", "model:small"],
  ] as const) {
    it(`calls a model when ${what}`, () => {
      const conversation = new TestConversation({ model: "middle" }).play("12*90/700 pin9 u100 a4000 6*90/700");
      assert.ok(press(conversation) > 0);
      assert.equal(press(conversation), 0);
      assert.ok(press(conversation.play(script)) > 0);
    });
  }

  it("calls a model in an imported copy with new messages after the last summary", async () => {
    const conversation = new TestConversation({ model: "small" }).play("60*10/40");
    assert.ok(press(conversation) > 0);
    const copy = loaded(await saved(conversation.play("20*10/40")));
    assert.ok(press(copy) > 0);
  });

  it("calls no model after a restart", () => {
    const conversation = new TestConversation({ model: "middle" }).play("60*100/400");
    press(conversation);
    const again = conversation.reopened();
    assert.equal(press(again), 0);
  });
});
