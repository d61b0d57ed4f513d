import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readSettings, webAddress, type Settings } from "../../../src/host/editor/settings.ts";

const read = (
  values: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>> = {},
): Settings => readSettings((name) => values[name], environment);

const CASES: readonly {
  readonly what: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly pick: (settings: Settings) => unknown;
  readonly expected: unknown;
}[] = [
  { what: "accepts a known provider", values: { provider: "openai" }, pick: (s) => s.provider, expected: "openai" },
  {
    what: "replaces an unknown provider with auto",
    values: { provider: "evil" },
    pick: (s) => s.provider,
    expected: "auto",
  },
  {
    what: "rejects an address with a name and a password",
    values: { "openaiCompatible.baseUrl": "http://user:secret@host/v1" },
    pick: (s) => s.addresses.openaiCompatible,
    expected: "",
  },
  {
    what: "takes the public addresses where none is set",
    values: {
      "anthropic.baseUrl": " ",
      "openai.baseUrl": undefined,
      "openaiCompatible.baseUrl": null,
      "ollama.baseUrl": "",
    },
    pick: (s) => [s.addresses, s.invalidAddresses],
    expected: [
      {
        anthropic: "https://api.anthropic.com",
        openai: "https://api.openai.com/v1",
        openaiCompatible: "",
        ollama: "http://127.0.0.1:11434",
      },
      [],
    ],
  },
  {
    what: "keeps valid model limits and drops invalid ones",
    values: {
      models: { good: { contextWindow: 1000, maxOutput: 100 }, bad: { contextWindow: 10, maxOutput: 10 }, odd: 3 },
    },
    pick: (s) => s.models,
    expected: { good: { contextWindow: 1000, maxOutput: 100 } },
  },
  {
    what: "tells which limits of models it cannot use, and keeps what it can",
    values: {
      models: {
        none: { contextWindow: 0, maxOutput: 100 },
        negative: { maxOutput: -1 },
        text: { contextWindow: "8k" },
        fraction: { contextWindow: 8.5, maxOutput: null },
        full: { contextWindow: 10, maxOutput: 10 },
        good: { contextWindow: 11, maxOutput: 10 },
        odd: 3,
      },
    },
    pick: (s) => [s.models, s.problems],
    expected: [
      {
        none: { maxOutput: 100 },
        negative: {},
        text: {},
        fraction: {},
        good: { contextWindow: 11, maxOutput: 10 },
      },
      [
        { kind: "modelLimit", model: "none", field: "contextWindow", found: 0 },
        { kind: "modelLimit", model: "negative", field: "maxOutput", found: -1 },
        { kind: "modelLimit", model: "text", field: "contextWindow", found: "8k" },
        { kind: "modelLimit", model: "fraction", field: "contextWindow", found: 8.5 },
        { kind: "modelLimit", model: "fraction", field: "maxOutput", found: null },
        { kind: "noRoom", model: "full", contextWindow: 10, maxOutput: 10 },
      ],
    ],
  },
  {
    what: "tells which parameters of strategies are out of their bounds",
    values: { "context.sandwich.top": -1, "context.tree.levels": "3", "context.slidingWindow.last": 20 },
    pick: (s) => s.problems,
    expected: [
      { kind: "outOfBounds", name: "sandwich.top", found: -1, standard: 5, least: 0, most: 100 },
      { kind: "outOfBounds", name: "tree.levels", found: "3", standard: 3, least: 1, most: 10 },
    ],
  },
  { what: "finds nothing wrong where nothing is set", values: {}, pick: (s) => s.problems, expected: [] },
  {
    what: "lowers a target above the trigger",
    values: { "context.summarizeAtPercent": 60, "context.targetPercent": 90 },
    pick: (s) => s.context.targetPercent,
    expected: 55,
  },
  {
    what: "prefers the environment to the setting: off",
    values: { "context.infinity": true },
    environment: { FORGE_CONTEXT_INFINITY: "0" },
    pick: (s) => s.context.infinity,
    expected: false,
  },
  {
    what: "prefers the environment to the setting: on",
    values: { "context.infinity": false },
    environment: { FORGE_CONTEXT_INFINITY: "1" },
    pick: (s) => s.context.infinity,
    expected: true,
  },
  {
    what: "ignores an environment value that is neither 0 nor 1",
    values: { "context.infinity": false },
    environment: { FORGE_CONTEXT_INFINITY: "yes" },
    pick: (s) => s.context.infinity,
    expected: false,
  },
  {
    what: "reads every setting of the context",
    values: {
      "context.strategy": "archive",
      "context.pipeline": ["threshold"],
      "context.summarizeAtPercent": 90,
      "context.targetPercent": 40,
      "context.preserveRecent": 6,
      "context.summaryRatio": 0.2,
      "context.toolCallTurnAge": 3,
      "context.sandwich.top": 2,
      "context.sandwich.bottom": 3,
      "context.sandwich.thresholdPercent": 60,
      "context.archive.thresholdPercent": 50,
      "context.tree.chunkTokens": 8_000,
      "context.tree.levels": 2,
      "context.slidingWindow.last": 40,
    },
    pick: (s) => s.context,
    expected: {
      infinity: true,
      strategy: "archive",
      pipeline: ["threshold"],
      summarizeAtPercent: 90,
      targetPercent: 40,
      preserveRecent: 6,
      summaryRatio: 0.2,
      toolCallTurnAge: 3,
      parameters: {
        "sandwich.top": 2,
        "sandwich.bottom": 3,
        "sandwich.thresholdPercent": 60,
        "archive.thresholdPercent": 50,
        "tree.chunkTokens": 8_000,
        "tree.levels": 2,
        "slidingWindow.last": 40,
      },
    },
  },
  {
    what: "drops an unknown strategy from the pipeline",
    values: { "context.pipeline": ["threshold", "shell"] },
    pick: (s) => s.context.pipeline,
    expected: ["threshold"],
  },
  {
    what: "§6 reads how long an answer may keep silent",
    values: { firstByteTimeoutSeconds: 3600, silenceTimeoutSeconds: 60 },
    pick: (s) => s.waits,
    expected: { firstByteMs: 3_600_000, noBytesMs: 60_000 },
  },
  {
    what: "§6 waits as usual where the time is no time",
    values: { firstByteTimeoutSeconds: 0, silenceTimeoutSeconds: "60" },
    pick: (s) => s.waits,
    expected: { firstByteMs: 900_000, noBytesMs: 300_000 },
  },
  {
    what: "reads an answer limit",
    values: { maxOutputTokens: 4000 },
    pick: (s) => s.context.maxOutputTokens,
    expected: 4000,
  },
  {
    what: "reads 0 as no answer limit",
    values: { maxOutputTokens: 0 },
    pick: (s) => s.context.maxOutputTokens,
    expected: undefined,
  },
];

describe("readSettings", () => {
  for (const { what, values, environment, pick, expected } of CASES) {
    it(what, () => {
      assert.deepEqual(pick(read(values, environment)), expected);
    });
  }
});

describe("webAddress", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["http://localhost:1234/v1/", "http://localhost:1234/v1"],
    ["https://example.org", "https://example.org"],
    ["ftp://example.org", undefined],
    ["localhost:1234", undefined],
    ["", undefined],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => {
      assert.equal(webAddress(text), expected);
    });
  }
});
