/** Spec §12: context settings, their defaults and bounds. */

import assert from "node:assert/strict";
import {
  appliesFromPercent,
  DEFAULT_CONTEXT_SETTINGS,
  readContextSettings,
  settingsOfConversation,
  summarizesFromPercent,
  targetPercentOf,
  type ContextSettings,
} from "../../../src/core/context/contextSettings.ts";
import {
  STRATEGY_PARAMETER_NAMES,
  STRATEGY_PARAMETERS,
  type StrategyParameterName,
} from "../../../src/core/context/strategyParameters.ts";

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
    parameters: {
      "sandwich.top": 5,
      "sandwich.bottom": 5,
      "sandwich.thresholdPercent": 70,
      "archive.thresholdPercent": 85,
      "tree.chunkTokens": 20_000,
      "tree.levels": 3,
      "slidingWindow.last": 20,
    },
  });
});

describe("§12 readContextSettings at the bounds", () => {
  const check = (set: Omit<Partial<ContextSettings>, "parameters">, isTaken = true): void => {
    it(`${JSON.stringify(set)} is ${isTaken ? "accepted" : "replaced by the defaults"}`, () => {
      const made = readContextSettings((name) => new Map(Object.entries(set)).get(name));
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

describe("§12 parameters of the strategies are whole numbers within their bounds", () => {
  const { parameters } = DEFAULT_CONTEXT_SETTINGS;
  const check = (name: StrategyParameterName, value: unknown, isTaken: boolean): void => {
    it(`${name} ${JSON.stringify(value)} is ${isTaken ? "accepted" : "replaced by the default"}`, () => {
      const made = readContextSettings((each) => (each === name ? value : undefined));
      assert.deepEqual(made.parameters, isTaken ? { ...parameters, [name]: value } : parameters);
    });
  };
  for (const name of STRATEGY_PARAMETER_NAMES) {
    const { least, most } = STRATEGY_PARAMETERS[name];
    check(name, least, true);
    check(name, most, true);
    check(name, least - 1, false);
    check(name, most + 1, false);
    check(name, least + 0.5, false);
    check(name, String(most), false);
    check(name, NaN, false);
  }
});

describe("§12 a conversation's own settings come before the user's", () => {
  const check = (own: Readonly<Record<string, string>>, expected: Partial<ContextSettings>): void => {
    it(JSON.stringify(own), () => {
      const made = settingsOfConversation(DEFAULT_CONTEXT_SETTINGS, (name) => new Map(Object.entries(own)).get(name));
      assert.deepEqual(made, { ...DEFAULT_CONTEXT_SETTINGS, ...expected });
    });
  };
  const { parameters } = DEFAULT_CONTEXT_SETTINGS;
  check({}, {});
  check({ strategy: "tree" }, { strategy: "tree" });
  check({ strategy: "shell" }, {});
  check({ "strategy.tree.levels": "2" }, { parameters: { ...parameters, "tree.levels": 2 } });
  check({ "strategy.tree.levels": "" }, {});
  check({ "strategy.tree.levels": "99" }, {});
  check({ "strategy.tree.levels": "2 and more" }, {});
  check({ "tree.levels": "2" }, {});
});

describe("§6 a summary is applied from a strategy's own threshold, or from the one for all, and frees as much", () => {
  const check = (set: Readonly<Record<string, unknown>>, expected: readonly [from: number, target: number]): void => {
    it(JSON.stringify(set), () => {
      const settings = readContextSettings((name) => set[name]);
      const { strategy } = settings;
      assert.deepEqual([appliesFromPercent(strategy, settings), targetPercentOf(strategy, settings)], expected);
    });
  };
  check({}, [80, 50]);
  check({ strategy: "tree" }, [80, 50]);
  check({ strategy: "sandwich" }, [70, 40]);
  check({ strategy: "archive" }, [85, 50]);
  check({ strategy: "archive", "archive.thresholdPercent": 50 }, [50, 20]);
  check({ strategy: "sandwich", "sandwich.thresholdPercent": 30, targetPercent: 20 }, [30, 5]);
  check({ pipeline: ["archive"] }, [85, 50]);
  check({ pipeline: ["toolCalls", "archive"] }, [80, 50]);
  check({ pipeline: ["archive", "sandwich"] }, [70, 40]);
});

describe("§6 the user sees summaries being made from", () => {
  const check = (set: Readonly<Record<string, unknown>>, expected: number | null): void => {
    it(`${JSON.stringify(set)}: ${String(expected)}`, () => {
      assert.equal(summarizesFromPercent(readContextSettings((name) => set[name])), expected);
    });
  };
  check({}, 80);
  check({ summarizeAtPercent: 60 }, 60);
  check({ infinity: false }, null);
  check({ strategy: "slidingWindow" }, null);
  check({ strategy: "fullHistory" }, null);
  check({ strategy: "archive", "archive.thresholdPercent": 50 }, 50);
  check({ strategy: "tree" }, 100);
  check({ pipeline: ["tree"] }, 100);
  check({ pipeline: ["tree", "toolCalls"] }, 80);
});
