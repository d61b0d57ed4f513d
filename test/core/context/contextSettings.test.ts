/** Spec §12: the settings of the context, their defaults and what cannot be. */

import assert from "node:assert/strict";
import {
  contextSettings,
  DEFAULT_CONTEXT_SETTINGS,
  readContextSettings,
  type ContextSettings,
} from "../../../src/core/context/contextSettings.ts";

it("§12 the defaults", () => {
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

describe("§12 contextSettings: the defaults with what is set, or the name of the one that cannot be", () => {
  const check = (set: Partial<ContextSettings>, field?: string): void => {
    it(`${JSON.stringify(set)}: ${field ?? "as they are"}`, () => {
      const made = contextSettings(set);
      const expected =
        field === undefined ? { ...DEFAULT_CONTEXT_SETTINGS, ...set } : ["VALIDATION_ERROR", `forge.context.${field}`];
      assert.deepEqual(made.ok ? made.value : [made.error.code, made.error.field], expected);
    });
  };
  check({});
  check({ summarizeAtPercent: 100, targetPercent: 5, preserveRecent: 1, toolCallTurnAge: 1, maxOutputTokens: 1 });
  check({
    summarizeAtPercent: 10,
    targetPercent: 9,
    preserveRecent: 1_000,
    toolCallTurnAge: 10_000,
    summaryRatio: 0.9,
  });
  check({ summarizeAtPercent: 9 }, "summarizeAtPercent");
  check({ summarizeAtPercent: 101 }, "summarizeAtPercent");
  check({ summarizeAtPercent: NaN }, "summarizeAtPercent");
  check({ targetPercent: 80 }, "targetPercent");
  check({ targetPercent: 79.9 });
  check({ targetPercent: 4 }, "targetPercent");
  check({ preserveRecent: 0 }, "preserveRecent");
  check({ preserveRecent: 1.5 }, "preserveRecent");
  check({ preserveRecent: 1_001 }, "preserveRecent");
  check({ summaryRatio: 0.91 }, "summaryRatio");
  check({ summaryRatio: 0 }, "summaryRatio");
  check({ toolCallTurnAge: 0 }, "toolCallTurnAge");
  check({ maxOutputTokens: 0 }, "maxOutputTokens");
  check({ maxOutputTokens: 1.5 }, "maxOutputTokens");
  check({ pipeline: [] }, "pipeline");
});

describe("§12 readContextSettings: what cannot be counts as not set", () => {
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
