/** Planning reads each message a bounded number of times, whatever the length of the history. */

import assert from "node:assert/strict";
import { CompactionView, type ViewItem } from "../../../../src/core/context/plan/compactionView.ts";
import { DEFAULT_CONTEXT_SETTINGS } from "../../../../src/core/context/contextSettings.ts";
import type { PlanBudget } from "../../../../src/core/context/plan/compactionPlan.ts";
import { STRATEGY_NAMES } from "../../../../src/core/context/contextSettings.ts";
import { runPipeline } from "../../../../src/core/context/plan/pipeline.ts";
import { STRATEGIES } from "../../../../src/core/context/plan/strategies/strategies.ts";
import { messageId } from "../../../../src/core/ids.ts";

describe("planning a compaction", () => {
  const shapes: Readonly<Record<string, (turn: number) => readonly [number, number]>> = {
    "small turns": () => [40, 90],
    "large turns": (turn) => [300 + (turn % 7) * 40, 900],
    "small turns and large ones": (turn) => (turn % 5 === 0 ? [400, 3_000] : [30, 60]),
  };
  for (const name of STRATEGY_NAMES) {
    for (const [shape, sizes] of Object.entries(shapes)) {
      it(`by ${name} is linear in the length of the history, and pauses, with ${shape}`, () => {
        const { reads, mostInASlice } = readsOf(name, sizes, TURNS);
        const [ofEach, inASlice] = [reads / (2 * TURNS), mostInASlice / (2 * TURNS)];
        assert.ok(ofEach < MOST_READS, `${ofEach.toFixed(1)} reads of each message`);
        assert.ok(inASlice < MOST_READS_A_SLICE, `${inASlice.toFixed(1)} reads of each message without a pause`);
      });
    }
  }

  for (const name of ["archive", "threshold"] as const) {
    it(`by ${name} fits a history of 160,000 messages into a small window`, () => {
      assert.ok(readsOf(name, () => [4, 6], LONG_TURNS).reads > 0);
    });
  }
});

/** Turns whose messages are too many to be spread as the arguments of one call. */
const LONG_TURNS = 80_000;
const TURNS = 16_000;
/** Upper bound of the property reads per message and plan, on average. */
const MOST_READS = 40;
/** The same between two pauses. */
const MOST_READS_A_SLICE = 10;

/** Number of property reads of messages by a plan that fits `turns` turns into a small window. */
function readsOf(
  name: (typeof STRATEGY_NAMES)[number],
  sizes: (turn: number) => readonly [number, number],
  turns: number,
): { readonly reads: number; readonly mostInASlice: number } {
  let reads = 0;
  const counted = (item: ViewItem): ViewItem =>
    new Proxy(item, {
      get: (target, property, receiver): unknown => {
        reads++;
        return Reflect.get(target, property, receiver);
      },
    });
  const items = Array.from({ length: turns }, (_, turn) =>
    sizes(turn).map((tokens, index): ViewItem => {
      const id = 2 * turn + index;
      const covers = { start: messageId(id), end: messageId(id + 1) };
      const place = { covers, firstTurn: turn, lastTurn: turn, isPreserved: turn >= turns - 2 };
      return { kind: "message", level: 0, tokens, originalTokens: tokens, messages: 1, ...place };
    }),
  ).flat();
  const view = new CompactionView(items.map(counted), 0);
  reads = 0;
  const usedPercent = (100 * view.usedTokens) / BUDGET.budgetTokens;
  let mostInASlice = 0;
  const planning = runPipeline([STRATEGIES[name]], view, { ...BUDGET, usedPercent });
  for (let isDone = false; !isDone;) {
    const before = reads;
    isDone = planning.next().done === true;
    mostInASlice = Math.max(mostInASlice, reads - before);
  }
  return { reads, mostInASlice };
}

const BUDGET: PlanBudget = {
  budgetTokens: 30_000,
  usedPercent: 100,
  summarizeAtPercent: 80,
  targetTokens: 15_000,
  summaryRatio: 0.15,
  toolCallTurnAge: 10,
  parameters: DEFAULT_CONTEXT_SETTINGS.parameters,
  frameTokens: 28,
  isForced: true,
  isByUser: false,
};
