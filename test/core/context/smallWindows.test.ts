/** The differences in a small window where the context adapts to it: reserve, steps and calls. */

import assert from "node:assert/strict";
import type { CompactionTrigger } from "../../../src/core/context/plan/compactionPlanner.ts";
import { answerLimit, withReserve } from "../../../src/core/context/outputReserve.ts";
import { messageId } from "../../../src/core/ids.ts";
import { TestConversation } from "../../support/session/conversation.ts";
import { shortPlan } from "../../support/session/shortPlan.ts";

/** Budget: 3,892 tokens. */
function small(script: string): TestConversation {
  return new TestConversation({ adaptsToSmallWindows: true }).play(script);
}

function receive(talk: TestConversation): void {
  talk.store({
    kind: "receipt",
    receipt: {
      ...{ summaries: [], span: { start: messageId(0), end: messageId(1) }, strategy: "threshold" },
      ...{ trigger: "threshold", tokensBefore: 2, tokensAfter: 1, model: "m", calls: 1, durationMs: 1 },
      ...{ factsKept: 0, factsTotal: 0, atMs: 1 },
    },
  });
}

describe("the reserve for an answer", () => {
  const check = (contextWindow: number, maxOutput: number, longest: number | undefined, expected: number): void => {
    it(`${String(contextWindow)}/${String(maxOutput)}, longest ${String(longest)}: ${String(expected)}`, () => {
      assert.deepEqual(withReserve({ contextWindow, maxOutput }, longest), { contextWindow, maxOutput: expected });
    });
  };
  check(8_192, 2_048, undefined, 2_048);
  check(8_192, 2_048, 1, 512);
  check(8_192, 2_048, 256, 512);
  check(8_192, 2_048, 300, 1_024);
  check(8_192, 2_048, 5_000, 2_048);
  check(8_192, 400, 300, 400);
  check(16_384, 4_096, 300, 1_024);
  check(24_000, 6_000, 300, 6_000);
  check(200_000, 64_000, 300, 64_000);

  it("is less than the limit of the answer, which is what the request leaves of the window", () => {
    const limits = { contextWindow: 8_192, maxOutput: 1_024 };
    const limitAt = (usedTokens: number): number => answerLimit(limits, { maxOutput: 4_096, usedTokens });
    assert.deepEqual([limitAt(100), limitAt(5_000), limitAt(6_800)], [4_096, 2_928, 1_034]);
  });

  it("changes with a compaction only, and is the same after a restart", () => {
    const talk = small("5*100/100");
    assert.equal(talk.manager.budgetTokens, 3_892);
    receive(talk);
    assert.equal(talk.manager.budgetTokens, 7_296, "512 are reserved");
    assert.equal(talk.ready().limits.maxOutput, 4_096);
    talk.play("3*100/1500");
    assert.equal(talk.manager.budgetTokens, 7_296);
    receive(talk);
    assert.equal(talk.manager.budgetTokens, 4_864, "3,072 are");
    assert.deepEqual(talk.reopened().sent(), talk.sent());
    assert.equal(talk.reopened().manager.budgetTokens, 4_864);
    talk.switchTo("large");
    assert.equal(talk.manager.budgetTokens, 129_200);
  });

  it("is the whole limit while there are few answers, and where the context does not adapt", () => {
    const few = small("3*100/100");
    receive(few);
    const fixed = new TestConversation().play("5*100/100");
    receive(fixed);
    assert.deepEqual([few.manager.budgetTokens, fixed.manager.budgetTokens], [3_892, 3_892]);
  });
});

describe("a compaction in a small window", () => {
  const check = (title: string, script: string, trigger: CompactionTrigger, expected: string): void => {
    it(title, () => {
      assert.equal(shortPlan(small(script).manager.planCompaction(trigger)), expected);
    });
  };
  const summarized = "20*150/150 S0-29:1200 4*150/150";
  check("merges an earlier summary in the same call", summarized, "overflow", "levelUp(conversation, small) 0-43^2");
  check("waits until it frees a third of the budget", "20*150/150 S0-33:1500 1*150/150", "background", "nothing");
  it("takes two calls where the context does not adapt", () => {
    const plan = new TestConversation().play(summarized).manager.planCompaction("overflow");
    assert.equal(shortPlan(plan), "threshold(conversation, small) 30-43; levelUp(conversation, small) 0-43^2");
  });
});
