/** Spec §12: context settings, their defaults and bounds. */

import assert from "node:assert/strict";
import {
  DEFAULT_CONTEXT_SETTINGS,
  readContextSettings,
  type ContextSettings,
} from "../../../src/core/context/contextSettings.ts";

it("§12 the context settings have the documented defaults", () => {
  assert.deepEqual(DEFAULT_CONTEXT_SETTINGS, {
    infinity: true,
    strategy: "pipeline",
    pipeline: ["toolCalls", "threshold", "goalBatch"],
    summarizeAtPercent: 80,
    targetPercent: 50,
    preserveRecent: 4,
    summaryRatio: 0.15,
    toolCallTurnAge: 10,
  });
});

describe("§12 readContextSettings at the bounds", () => {
  const check = (set: Partial<ContextSettings>, isTaken = true): void => {
    it(`${JSON.stringify(set)} is ${isTaken ? "accepted" : "replaced by the defaults"}`, () => {
      const made = readContextSettings((name) => set[name]);
      assert.deepEqual(made, { ...DEFAULT_CONTEXT_SETTINGS, ...(isTaken ? set : {}) });
    });
  };
  check({ summarizeAtPercent: 100, targetPercent: 5, preserveRecent: 1, toolCallTurnAge: 1, maxOutputTokens: 1 });
  check({ summarizeAtPercent: 10, targetPercent: 5, preserveRecent: 1_000, toolCallTurnAge: 10_000 });
  check({ summarizeAtPercent: 100, targetPercent: 95, summaryRatio: 0.9 });
  check({ summaryRatio: 0.01 });
  check({ summarizeAtPercent: 9 }, false);
  check({ summarizeAtPercent: 101 }, false);
  check({ summarizeAtPercent: NaN }, false);
  check({ targetPercent: 4 }, false);
  check({ targetPercent: 96 }, false);
  check({ preserveRecent: 0 }, false);
  check({ preserveRecent: 1.5 }, false);
  check({ preserveRecent: 1_001 }, false);
  check({ summaryRatio: 0.91 }, false);
  check({ summaryRatio: 0 }, false);
  check({ toolCallTurnAge: 0 }, false);
  check({ maxOutputTokens: 0 }, false);
  check({ maxOutputTokens: 1.5 }, false);
  check({ pipeline: [] }, false);
});

describe("§12 readContextSettings falls back for invalid values", () => {
  const check = (set: Readonly<Record<string, unknown>>, changed: Partial<ContextSettings>): void => {
    it(JSON.stringify(set), () => {
      assert.deepEqual(
        readContextSettings((name) => set[name]),
        { ...DEFAULT_CONTEXT_SETTINGS, ...changed },
      );
    });
  };
  check({}, {});
  check(
    { infinity: false, strategy: "tree", pipeline: ["archive"] },
    { infinity: false, strategy: "tree", pipeline: ["archive"] },
  );
  check({ infinity: "no", strategy: "shell", pipeline: ["rm"], summaryRatio: "0.2" }, {});
  check({ strategy: "__proto__", pipeline: "threshold" }, {});
  check({ summarizeAtPercent: 5, targetPercent: 99, preserveRecent: 0, toolCallTurnAge: -1, maxOutputTokens: 0 }, {});
  check({ summarizeAtPercent: 60, targetPercent: 30 }, { summarizeAtPercent: 60, targetPercent: 30 });
  check({ summarizeAtPercent: 60, targetPercent: 90 }, { summarizeAtPercent: 60, targetPercent: 55 });
  check({ summarizeAtPercent: 10 }, { summarizeAtPercent: 10, targetPercent: 5 });
  check({ maxOutputTokens: 4_000, preserveRecent: 9 }, { maxOutputTokens: 4_000, preserveRecent: 9 });
});
