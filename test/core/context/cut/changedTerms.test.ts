/** Settings, instructions or tools change in an open conversation: it sends what it would send after a restart. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { DEFAULT_CONTEXT_SETTINGS, type ContextSettings } from "../../../../src/core/context/contextSettings.ts";
import { NO_OVERHEAD, type RequestOverhead } from "../../../../src/core/context/request/requestOverhead.ts";
import { counts, TestConversation } from "../../../support/session/conversation.ts";
import { operations, perform } from "../../../support/storage/randomOperations.ts";

const instructions = (tokens: number): RequestOverhead =>
  tokens === 0 ? NO_OVERHEAD : { ...NO_OVERHEAD, systemPrompt: `${tokens} words`, systemTokens: counts(tokens) };

/** What the conversation sends after a restart, configured with `overhead` once its records are read. */
function reopened(live: TestConversation, overhead: RequestOverhead, settings: Partial<ContextSettings>): string {
  const again = new TestConversation({ settings });
  for (const record of live.records) again.store(record);
  again.manager.configure({ overhead });
  return again.sent();
}

describe("a change of settings or instructions", () => {
  it("restores no originals by itself", () => {
    const live = new TestConversation();
    live.play("model:middle 14*100/100 S0-5:60 S6-11:60 S12-17:60 model:small S18-23:60");
    const sent = live.sent();
    assert.match(sent, /^S0\[0-5] /);
    live.manager.configure({ overhead: instructions(20) });
    assert.equal(live.sent(), sent);
    assert.equal(live.sent(), reopened(live, instructions(20), {}));
  });

  it("replaces originals that no longer fit by summaries, and restores them when they fit again", () => {
    const live = new TestConversation().play("model:middle 7*100/100 S0-9:60 model:small 50/50");
    const finer = live.sent();
    const sent = [2_000, 0].map((tokens) => {
      live.manager.configure({ overhead: instructions(tokens) });
      return live.sent();
    });
    assert.deepEqual(sent, ["S0[0-9] 10 11 12 13 14 15", finer]);
  });

  it("does not move the cut of a model that the conversation returns to", () => {
    const live = new TestConversation({ model: "large" }).play("10*50/50 S0-9:60");
    const sent = live.sent();
    live.play("model:middle");
    live.manager.configure({ overhead: instructions(200) });
    assert.equal(live.play("u20 model:large").sent(), `${sent} 20`);
  });

  it("sends the coarser form again on the return to that model and after a restart", () => {
    const live = new TestConversation({ overhead: instructions(1_500) });
    live.play("model:middle 7*100/100 S0-9:60 model:small 4*50/50");
    const sent = live.sent();
    assert.equal(sent, "S0[0-9] 10 11 12 13 14 15 16 17 18 19 20 21");
    live.play("model:middle u50 a50 model:small");
    assert.deepEqual([live.sent(), reopened(live, instructions(1_500), {})], [`${sent} 22 23`, `${sent} 22 23`]);
  });

  it("sends the same after a restart, after any operations", () => {
    const change = fc.oneof(
      fc.constantFrom(0, 20, 900, 1_500),
      fc.constantFrom<Partial<ContextSettings>>(
        {},
        { preserveRecent: 2 },
        { targetPercent: 30 },
        { maxOutputTokens: 900 },
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(operations, change), { minLength: 1, maxLength: 4 }), (parts) => {
        const live = new TestConversation();
        let [overhead, settings]: [RequestOverhead, Partial<ContextSettings>] = [NO_OVERHEAD, {}];
        for (const [all, changed] of parts) {
          for (const operation of all) perform(operation, live);
          if (typeof changed === "number") overhead = instructions(changed);
          else settings = changed;
          live.manager.configure({ overhead, settings: { ...DEFAULT_CONTEXT_SETTINGS, ...settings } });
          assert.equal(live.sent(), reopened(live, overhead, settings));
        }
      }),
      { seed: 5, numRuns: 150 },
    );
  });
});
