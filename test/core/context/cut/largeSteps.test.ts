/** Spec §6: automatic compactions are few and large, because the provider reads the whole prompt anew after each. */

import assert from "node:assert/strict";
import type { ContextPolicy } from "../../../../src/core/context/contextSettings.ts";
import { TestConversation } from "../../../support/session/conversation.ts";
import { checkPlan } from "../../../support/session/shortPlan.ts";

const TURNS = 300;

/** Percent of the budget freed by each compaction of a long conversation of small turns; every third calls a tool. */
function freedIn(strategy: ContextPolicy): readonly number[] {
  const talk = new TestConversation({ settings: { strategy } });
  const { manager } = talk;
  const used = (): number => manager.usage().usedTokens;
  const freed: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    talk.play(turn % 3 === 0 ? "u30 t20:330 a60" : "40/60");
    for (const trigger of ["background", "overflow"] as const) {
      const isDue =
        trigger === "background" ? manager.compactionStage() === "apply" : manager.prepare().kind !== "ready";
      if (!isDue) continue;
      const before = used();
      talk.compact(trigger);
      if (used() < before) freed.push(((before - used()) * 100) / manager.budgetTokens);
    }
    assert.equal(manager.prepare().kind, "ready");
  }
  return freed;
}

describe("§6 automatic compaction", () => {
  for (const strategy of ["toolCalls", "goalBatch", "threshold", "pipeline"] as const) {
    it(`frees at least an eighth of the budget each time with ${strategy}`, () => {
      const freed = freedIn(strategy);
      assert.ok(freed.length > 3, "it is a long conversation");
      assert.ok(Math.min(...freed) >= 12.5, freed.map((percent) => percent.toFixed(1)).join(" "));
    });
  }

  const little = { strategy: "toolCalls", trigger: "background" } as const;
  const tools = "toolCalls(toolCalls, small)";
  checkPlan(
    "plans nothing in the background when the strategy finds little",
    "u10 t30:400 11*130/130",
    "nothing",
    little,
  );
  checkPlan("plans in the background when the strategy finds enough", "u10 t30:900 11*100/100", `${tools} 1-2`, little);
  checkPlan(
    "plans a small step in the background when it reaches the target",
    "u10 t30:400 11*120/120",
    `${tools} 1-2`,
    {
      ...little,
      targetPercent: 75,
    },
  );
  checkPlan("plans any step, however small, at the threshold", "u10 t30:400 11*130/130", `${tools} 1-2`, {
    ...little,
    trigger: "threshold",
  });
  checkPlan(
    "plans one summary of everything on overflow when the strategy cannot free enough",
    "u10 t30:400 11*165/165",
    "lastResort(conversation, small) 0-20",
    {
      ...little,
      trigger: "overflow",
    },
  );
});
