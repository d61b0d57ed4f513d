import assert from "node:assert/strict";
import type { PlannedSpan } from "../../../../src/core/context/plan/compactionPlan.ts";
import { independentSteps } from "../../../../src/core/context/plan/independentSteps.ts";
import { areNotesTooLongToAwait } from "../../../../src/core/summary/schedule/awaitedNotes.ts";
import { messageId } from "../../../../src/core/ids.ts";

interface Step {
  readonly spans: readonly PlannedSpan[];
}

/** "0-4:600 8-9" is a step of two spans; the size of a target may follow. */
function stepOf(words: string): Step {
  const spans = words.split(" ").map((word): PlannedSpan => {
    const [start = 0, end = 0, targetTokens = 0] = (word.match(/\d+/g) ?? []).map(Number);
    return {
      covers: { start: messageId(start), end: messageId(end) },
      ...{ level: 1, from: "coarsest", sourceTokens: 0, originalTokens: 0, targetTokens, maxTokens: targetTokens },
    };
  });
  return { spans };
}

describe("steps of a plan side by side", () => {
  const check = (title: string, steps: readonly string[], expected: readonly number[]): void => {
    it(title, () => {
      assert.deepEqual(
        independentSteps(steps.map(stepOf)).map(({ length }) => length),
        expected,
      );
    });
  };
  check("none", [], []);
  check("apart", ["0-4", "4-8", "8-9"], [3]);
  check("one that merges the others after them", ["0-4", "4-8", "0-8"], [2, 1]);
  check("one that is inside another after it", ["0-8", "2-4", "9-10"], [1, 2]);
  check("of several spans", ["0-2 8-9", "3-4", "1-2 5-6", "7-8"], [2, 2]);
});

describe("notes are too long to wait for them", () => {
  const check = (title: string, steps: readonly string[], parallelCalls: number, expected: boolean): void => {
    it(title, () => {
      assert.equal(areNotesTooLongToAwait(steps.map(stepOf), parallelCalls), expected);
    });
  };
  check("never without any", [], 4, false);
  check("not at 1,200 tokens of a summary", ["0-4:1200"], 1, false);
  check("from 1,202 on", ["0-4:1202"], 1, true);
  check("one after the other", ["0-4:700", "4-8:700"], 1, true);
  check("not side by side", ["0-4:700", "4-8:700"], 2, false);
  check("in two rounds", ["0-4:700", "4-8:100", "8-9:700"], 2, true);
  check("where one builds on another", ["0-4:700", "0-8:700"], 4, true);
  check("in one call", ["0-4:700 4-8:700"], 4, true);
});
