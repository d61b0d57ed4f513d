/** Spec §13: realistic sessions. The compaction tests have the cases with a file and with real text. */

import assert from "node:assert/strict";
import { isPassive } from "../../../src/core/context/contextSettings.ts";
import { CONTEXT_POLICIES, DEFAULT_CONTEXT_SETTINGS } from "../../../src/core/context/contextSettings.ts";
import { isSentWhole } from "../../../src/core/history/sentAs.ts";
import { messageId } from "../../../src/core/ids.ts";
import { TestConversation } from "../../support/session/conversation.ts";

/** Sends as the application does: compacts when due, makes room when it must. */
function send(conversation: TestConversation): void {
  if (conversation.manager.compactionStage() === "apply") conversation.compact("threshold");
  if (conversation.manager.prepare().kind === "summarizationNeeded") conversation.compact("overflow");
  assert.ok(conversation.ready().usage().percentage() <= 100);
}

describe("§13 a long session", () => {
  const strategies = CONTEXT_POLICIES.filter((policy) => !isPassive(policy));
  for (const strategy of strategies) {
    it(`of 150 turns always fits with ${strategy}, and sends the same after a restart`, () => {
      const conversation = new TestConversation({ settings: { strategy } });
      for (let turn = 0; turn < 150; turn++) {
        conversation.play(turn % 3 === 0 ? "u20 t30:150 a90" : "u40 a160");
        send(conversation);
      }
      assert.ok(conversation.manager.history.summaryCount > 1, "it was compacted several times");
      assert.equal(conversation.reopened().sent(), conversation.sent());
    });
  }

  it("retains the question of a turn that calls one tool 60 times in a row", () => {
    const conversation = new TestConversation().play("3*50/50 u30");
    for (let call = 0; call < 60; call++) {
      conversation.toolBatch(40, [200]);
      send(conversation);
    }
    assert.match(conversation.sent(), / 6 /);
    const newest = conversation.manager.history.length - 1;
    assert.deepEqual(
      [6, 7, 8, newest].map((id) => isSentWhole(conversation.manager.sentAs(messageId(id)))),
      [true, false, false, true],
    );
  });

  it("sends everything at exactly 100 % of the window, and makes room one token later", () => {
    const conversation = new TestConversation({ settings: { summarizeAtPercent: 100 } });
    conversation.play("3*400/400 u400 a1060");
    assert.deepEqual(
      [
        conversation.ready().usage().usedTokens,
        conversation.manager.budgetTokens,
        conversation.manager.usage().percentage(),
      ],
      [3_892, 3_892, 100],
    );
    conversation.play("u1");
    assert.equal(conversation.manager.prepare().kind, "summarizationNeeded");
    send(conversation);
  });

  it("fits when the strategy changes between turns", () => {
    const conversation = new TestConversation();
    for (const strategy of ["sandwich", "archive", "pipeline"]) {
      conversation.store({ kind: "setting", name: "strategy", value: strategy, atMs: 0 });
      for (let turn = 0; turn < 25; turn++) {
        conversation.turn(60, 160);
        send(conversation);
      }
    }
    const kinds = new Set(conversation.manager.history.summaries.map(({ kind }) => kind));
    assert.ok(kinds.has("conversation") && kinds.has("archive"));
  });

  it("compacts rarely and by a large amount", () => {
    const conversation = new TestConversation({ model: "middle" });
    let compactions = 0;
    for (let turn = 0; turn < 500; turn++) {
      conversation.turn(100, 300);
      if (conversation.manager.compactionStage() !== "apply") continue;
      compactions++;
      conversation.compact("threshold");
      assert.ok(conversation.manager.usage().percentage() <= 52, "down to the target");
    }
    // 204,000 tokens of messages; each compaction frees 30 % of 19,000.
    assert.ok(compactions <= 45, String(compactions));
  });
});

describe("§2 the user's output limit", () => {
  it("enlarges the budget, and is ignored above the model's limit", () => {
    const budgets = [undefined, 1_000, 9_999].map((maxOutputTokens) => {
      const settings = maxOutputTokens === undefined ? {} : { maxOutputTokens };
      const { budgetTokens, limits } = new TestConversation({ settings }).manager;
      return [budgetTokens, limits.maxOutput];
    });
    assert.deepEqual(budgets, [
      [3_892, 4_096],
      [6_833, 1_000],
      [3_892, 4_096],
    ]);
  });

  it("takes effect at once", () => {
    const conversation = new TestConversation().play("12*200/200");
    const before = conversation.manager.prepare().kind;
    const { manager } = conversation;
    manager.configure({ settings: { ...DEFAULT_CONTEXT_SETTINGS, maxOutputTokens: 500 } });
    assert.deepEqual([before, manager.prepare().kind, manager.budgetTokens], ["summarizationNeeded", "ready", 7_308]);
  });

  for (const [strategy, mostCompactions] of [
    ["pipeline", 75],
    ["sandwich", 90],
    ["tree", 50],
  ] as const) {
    it(`compacts rarely with ${strategy} in a small window, even with summaries 20 % too long`, () => {
      const conversation = new TestConversation({ settings: { strategy } });
      let compactions = 0;
      for (let turn = 0; turn < 500; turn++) {
        conversation.turn(40, 120);
        const { manager } = conversation;
        const isDue = manager.compactionStage() === "apply" && manager.planCompaction("threshold") !== undefined;
        if (!isDue && manager.prepare().kind === "ready") continue;
        compactions++;
        conversation.compactWith(isDue ? "threshold" : "overflow", ({ targetTokens, maxTokens }) => {
          return Math.min(maxTokens, Math.floor(targetTokens * 1.2));
        });
        conversation.ready();
      }
      // 84,000 tokens of messages; a compaction frees about 1,150 of 3,892, less its summary's size.
      assert.ok(compactions <= mostCompactions, String(compactions));
    });
  }
});
