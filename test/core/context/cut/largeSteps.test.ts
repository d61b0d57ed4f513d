/** Spec §6: what is done without being asked is one large step, as each has the whole prompt read anew. */

import assert from "node:assert/strict";
import type { ContextPolicy } from "../../../../src/core/context/contextSettings.ts";
import { TestConversation } from "../../../support/session/conversation.ts";
import { checkPlan } from "../../../support/session/shortPlan.ts";

const TURNS = 300;

/** Percent of the budget that each compaction of a long conversation freed; turns are small, and every third calls a tool. */
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

describe("§6 one large step rather than many small ones", () => {
  for (const strategy of ["toolCalls", "goalBatch", "threshold", "pipeline"] as const) {
    it(`${strategy}: each frees an eighth of the budget at least`, () => {
      const freed = freedIn(strategy);
      assert.ok(freed.length > 3, "it is a long conversation");
      assert.ok(Math.min(...freed) >= 12.5, freed.map((percent) => percent.toFixed(1)).join(" "));
    });
  }

  const little = { strategy: "toolCalls", trigger: "background" } as const;
  const tools = "toolCalls(toolCalls, small)";
  checkPlan("not by itself, for the little that a strategy finds", "u10 t30:400 11*130/130", "nothing", little);
  checkPlan("but where there is enough of its kind", "u10 t30:900 11*100/100", `${tools} 1-2`, little);
  checkPlan("and by itself, if that is enough for the target", "u10 t30:400 11*120/120", `${tools} 1-2`, {
    ...little,
    targetPercent: 75,
  });
  checkPlan("at the threshold, for who asks what there is, however little", "u10 t30:400 11*130/130", `${tools} 1-2`, {
    ...little,
    trigger: "threshold",
  });
  checkPlan("where nothing fits, all in one", "u10 t30:400 11*165/165", "lastResort(conversation, small) 0-20", {
    ...little,
    trigger: "overflow",
  });
});
