import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { builtinLimits, FAMILY_WINDOWS, SMALL_MODELS } from "../../../src/core/models/builtin.ts";
import { costUsd, type BilledTokens, type ModelPrice } from "../../../src/core/models/modelPrice.ts";
import { ModelRegistry, type KnownModel, type ModelOverride } from "../../../src/core/models/modelRegistry.ts";
import { ANTHROPIC_SNAPSHOT } from "../../../src/core/models/snapshot/anthropic.ts";
import { OPENAI_SNAPSHOT } from "../../../src/core/models/snapshot/openai.ts";

function registry(overrides: Readonly<Record<string, ModelOverride>> = {}): ModelRegistry {
  const made = new ModelRegistry();
  assert.deepEqual(made.setOverrides(overrides), { ok: true, value: undefined });
  return made;
}

function answer(
  contextWindow: number,
  maxOutput: number,
  source: KnownModel["source"],
  outputAssumed = false,
): KnownModel {
  return { limits: { contextWindow, maxOutput }, source, outputAssumed };
}

describe("ModelRegistry", () => {
  describe("finds a model by its longest known prefix", () => {
    const check = (name: string, expected: KnownModel): void => {
      it(name, () => {
        assert.deepEqual(registry().get(modelId(name)), expected);
      });
    };
    check("claude-opus-4-5", answer(200_000, 64_000, "prefix"));
    check("claude-sonnet-4-5-20250929", answer(200_000, 64_000, "prefix"));
    check("anthropic/claude-haiku-4-5", answer(200_000, 64_000, "prefix"));
    check("openrouter/anthropic/claude-haiku-4-5:beta", answer(200_000, 64_000, "prefix"));
    check("claude-haiku-4-5@20251001", answer(200_000, 64_000, "prefix"));
    check("gpt-5.2", answer(400_000, 128_000, "prefix"));
    check("gpt-5.2-codex", answer(400_000, 128_000, "prefix"));
    check("gpt-6.1-sol", answer(1_050_000, 32_000, "prefix", true));
    check("claude-haiku-5-5", answer(200_000, 32_000, "prefix", true));
    check("claude-opus-4-57", answer(200_000, 32_000, "prefix", true));
    check("claude-opus-4-6", answer(1_000_000, 32_000, "prefix", true));
    check("claude-sonnet-5-5", answer(1_000_000, 32_000, "prefix", true));
    check("gpt-4o-mini-2024-07-18", answer(128_000, 16_384, "prefix"));
    check("gpt-5.3", answer(128_000, 32_000, "prefix", true));
    check("o3-mini", answer(200_000, 100_000, "prefix"));
    check("claude-sonnet-4-20250514", answer(200_000, 64_000, "prefix"));
    check("gpt-4-turbo", answer(128_000, 4_096, "prefix"));
    check("gemini-pro", answer(32_000, 8_192, "prefix"));
    check("gemini-pro-latest", answer(1_000_000, 65_536, "prefix"));
    check("gemini-2.5-pro", answer(1_000_000, 65_536, "prefix"));
    check("models/gemini-3.8-flash", answer(1_000_000, 32_000, "prefix", true));
    check("deepseek-v4-pro", answer(128_000, 32_000, "prefix", true));
    check("grok-4.6", answer(256_000, 32_000, "prefix", true));
    check("gpt-5x", answer(8_192, 4_096, "fallback"));
    check("my-claude-opus-4-5", answer(8_192, 4_096, "fallback"));
    check("__proto__", answer(8_192, 4_096, "fallback"));
    check("", answer(8_192, 4_096, "fallback"));
  });

  describe("prefers the user's limits to the provider's, and these to the snapshot's:", () => {
    const check = (
      title: string,
      input: { name: string; live?: object; overrides?: Readonly<Record<string, ModelOverride>> },
      expected: KnownModel,
    ): void => {
      it(title, () => {
        const made = registry(input.overrides);
        if (input.live !== undefined) assert.ok(made.setLive(modelId(input.name), input.live).ok);
        assert.deepEqual(made.get(modelId(input.name)), expected);
      });
    };
    const name = "claude-opus-4-5";
    check(
      "live window, output of the snapshot",
      { name, live: { contextWindow: 500_000 } },
      answer(500_000, 64_000, "live"),
    );
    check(
      "live output, window of the snapshot",
      { name, live: { maxOutput: 32_000 } },
      answer(200_000, 32_000, "live"),
    );
    check(
      "live window of an unknown model",
      { name: "x", live: { contextWindow: 100_000 } },
      answer(100_000, 25_000, "live", true),
    );
    check(
      "only a live output of an unknown model",
      { name: "x", live: { maxOutput: 9_000 } },
      answer(8_192, 4_096, "fallback"),
    );
    check(
      "live window below the snapshot's output",
      { name, live: { contextWindow: 40_000 } },
      answer(40_000, 10_000, "live", true),
    );
    check(
      "the user's limits over all others",
      { name, live: { contextWindow: 500_000 }, overrides: { claude: { contextWindow: 90_000, maxOutput: 8_000 } } },
      answer(90_000, 8_000, "override"),
    );
    check(
      "the user's window, the snapshot's output",
      { name, overrides: { "claude-opus": { contextWindow: 150_000 } } },
      answer(150_000, 64_000, "override"),
    );
    check(
      "the user's window of an unknown model",
      { name: "x", overrides: { x: { contextWindow: 100_000 } } },
      answer(100_000, 25_000, "override", true),
    );
    check(
      "only the user's output of an unknown model",
      { name: "x", overrides: { x: { maxOutput: 2_000 } } },
      answer(8_192, 2_000, "override"),
    );
    check(
      "only the user's output",
      { name, overrides: { [name]: { maxOutput: 1_000 } } },
      answer(200_000, 1_000, "override"),
    );
    check(
      "the user's longest prefix",
      { name, overrides: { claude: { maxOutput: 1 }, [name]: { maxOutput: 2 } } },
      answer(200_000, 2, "override"),
    );
    check(
      "the user's entry for a name with vendor",
      { name: "lab/m-1", overrides: { "lab/m": { contextWindow: 1_000, maxOutput: 10 } } },
      answer(1_000, 10, "override"),
    );
    check(
      "no limits from an entry with only a price",
      { name, overrides: { [name]: { price: { inputPerMillionUsd: 1, outputPerMillionUsd: 2 } } } },
      answer(200_000, 64_000, "prefix"),
    );
  });

  describe("rejects impossible limits and changes nothing:", () => {
    const check = (override: ModelOverride, field: string): void => {
      it(field + " " + JSON.stringify(override), () => {
        const made = registry({ m: { contextWindow: 5_000, maxOutput: 500 } });
        const refused = made.setOverrides({ m: override });
        assert.equal(refused.ok ? "" : refused.error.field, `forge.models["m"].${field}`);
        assert.deepEqual(made.get(modelId("m")), answer(5_000, 500, "override"));
        assert.equal(made.setLive(modelId("m"), override).ok, false);
      });
    };
    check({ contextWindow: 0 }, "contextWindow");
    check({ contextWindow: -1, maxOutput: 5 }, "contextWindow");
    check({ contextWindow: 10.5 }, "contextWindow");
    check({ contextWindow: 1 }, "contextWindow");
    check({ contextWindow: NaN }, "contextWindow");
    check({ contextWindow: 1e300 }, "contextWindow");
    check({ maxOutput: -1 }, "maxOutput");
    check({ maxOutput: Infinity }, "maxOutput");
    check({ maxOutput: 0 }, "maxOutput");
    check({ contextWindow: 100, maxOutput: 100 }, "maxOutput");
  });

  it("finds prices by exact id only", () => {
    const made = registry({ house: { price: { inputPerMillionUsd: 7, outputPerMillionUsd: 8 } } });
    const priceOf = (name: string): number | undefined => made.priceOf(modelId(name))?.inputPerMillionUsd;
    assert.deepEqual(["claude-sonnet-5", "claude-sonnet-5-5", "gpt-6-luna", "toString", "house-2"].map(priceOf), [
      2,
      undefined,
      0.1,
      undefined,
      7,
    ]);
  });

  describe("computes the cost of requests:", () => {
    const flat = { inputPerMillionUsd: 4, outputPerMillionUsd: 20 };
    const cached = { ...flat, cacheReadPerMillionUsd: 0.2 };
    const tiered = { ...cached, longInput: { aboveTokens: 272_000, inputPerMillionUsd: 8, outputPerMillionUsd: 30 } };
    const check = (title: string, price: ModelPrice, billed: BilledTokens, expected: number | undefined): void => {
      it(title, () => {
        assert.equal(costUsd(price, billed), expected);
      });
    };
    const large = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 500_000 };
    const small = { inputTokens: 272_000, outputTokens: 0 };
    check("cached input at its own price", cached, large, 2 + 0.1 + 2);
    check("cached input like other input if it has no price", flat, large, 6);
    const writing = { ...large, cacheWriteTokens: 100_000 };
    check("cache writes at their own price", { ...cached, cacheWritePerMillionUsd: 5 }, writing, 4.2);
    check("cache writes like other input if they have no price", cached, writing, 4.1);
    check("input up to the limit at the short price", tiered, small, 1.088);
    check("input above the limit at the long price", tiered, { ...small, inputTokens: 300_000 }, 2.4);
    check("several requests that are short in total", tiered, { ...small, requests: 3 }, 1.088);
    check(
      "undefined for several requests that may be long or short",
      tiered,
      { ...small, inputTokens: 300_000, requests: 3 },
      undefined,
    );
    check("zero for no tokens", tiered, { inputTokens: 0, outputTokens: 0 }, 0);
  });

  it("names the small model of a provider, and none for an unknown provider", () => {
    const names = ["anthropic", "openai", "constructor", "elsewhere"].map((name) => registry().smallModelOf(name));
    assert.deepEqual(names, [SMALL_MODELS["anthropic"], SMALL_MODELS["openai"], undefined, undefined]);
  });

  it("has only possible limits in its snapshots", () => {
    const tables = [ANTHROPIC_SNAPSHOT, OPENAI_SNAPSHOT].flatMap(({ windows, prices }) => [windows, prices]);
    for (const name of new Set([FAMILY_WINDOWS, ...tables].flatMap((table) => Object.keys(table)))) {
      const { limits, source } = registry().get(modelId(name));
      assert.equal(source, builtinLimits(name) === undefined ? "fallback" : "prefix");
      assert.ok(limits.maxOutput > 0 && limits.maxOutput < limits.contextWindow, name);
    }
  });
});
