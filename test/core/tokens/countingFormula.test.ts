import assert from "node:assert/strict";
import { messageId, modelId } from "../../../src/core/ids.ts";
import { TokenCosts } from "../../../src/core/context/tokenCosts.ts";
import { countingFormula, tokensOf } from "../../../src/core/tokens/countingFormula.ts";

describe("countingFormula", () => {
  /** `expected`: encoding, tokens per message, tokens per request, ratio, quality. */
  const check = (names: readonly string[], expected: readonly [string, number, number, number, string]): void => {
    for (const name of names) {
      it(`${name}: ${expected.join(" ")}`, () => {
        const formula = countingFormula(modelId(name));
        const { encoding, perMessageTokens, perRequestTokens, ratio, quality } = formula;
        assert.deepEqual([encoding, perMessageTokens, perRequestTokens, ratio, quality], expected);
      });
    }
  };
  check(["gpt-3.5-turbo", "gpt-35-turbo", "gpt-4", "gpt-4-turbo", "gpt-4-0613"], ["cl100k", 4, 3, 1, "exact"]);
  check(
    ["gpt-4o", "gpt-4o-mini", "openai/gpt-4.1-nano", "gpt-4.5-preview", "chatgpt-4o-latest"],
    ["o200k", 4, 3, 1, "exact"],
  );
  check(
    ["gpt-5", "gpt-5.2", "openai/gpt-5-mini", "gpt-5.6-sol", "o1", "o3-mini", "o4-mini"],
    ["o200k", 4, 2, 1, "exact"],
  );
  check(["gpt-6-luna", "gpt-6.1-terra"], ["o200k", 4, 2, 1, "estimate"]);
  check(["openai.gpt-oss-120b-1:0", "gpt-oss:120b"], ["o200k", 4, 63, 1, "estimate"]);
  check(
    [
      ...["claude-2.1", "claude-instant-1.2", "claude-3-5-sonnet-20241022", "anthropic/claude-3.7-sonnet:thinking"],
      ...[
        "claude-sonnet-4-20250514",
        "us.anthropic.claude-sonnet-4-20250514-v1:0",
        "claude-opus-4-5",
        "claude-sonnet-4.6",
      ],
    ],
    ["cl100k", 1, 6, 1.13, "estimate"],
  );
  check(
    ["claude-opus-4-7", "claude-opus-4-8", "claude-4-10", "claude-sonnet-5-5", "claude-haiku-5-5"],
    ["cl100k", 1, 7, 1.4, "estimate"],
  );
  check(["claude", "claude-latest", "claude-mythos"], ["cl100k", 1, 7, 1.4, "estimate"]);
  check(["gemini-2.5-flash", "google/gemini-2.5-pro"], ["cl100k", 0, 0, 1, "estimate"]);
  check(["gemini-3-flash", "google/gemini-3-pro-preview"], ["cl100k", 0, 0, 1.06, "estimate"]);
  check(["deepseek-chat", "deepseek-ai/DeepSeek-R1", "us.deepseek.r1-v1:0"], ["cl100k", 4, 0, 1.01, "estimate"]);
  check(["llama3.1-8b", "meta-llama/Llama-3.3-70B-Instruct"], ["cl100k", 4, 0, 1.01, "estimate"]);
  check(
    ["mistral-small-latest", "ministral-8b-latest", "codestral", "mixtral-8x7b"],
    ["cl100k", 4, 0, 1.09, "estimate"],
  );
  check(["us.amazon.nova-micro-v1:0"], ["cl100k", 4, 0, 0.99, "estimate"]);
  check(["grok-4.3"], ["cl100k", 4, 0, 0.93, "estimate"]);
  check(
    ["smollm2:latest", "SmolLM2-135M-Instruct.Q4_1", "HuggingFaceTB/SmolLM3-3B"],
    ["cl100k", 5, 3, 1.13, "estimate"],
  );
  check(
    ["", "qwen3", "offline", "foo1-mini", "novaform", "my-gpt-4x", "/", "toString"],
    ["cl100k", 4, 0, 1, "estimate"],
  );
});

describe("tokensOf", () => {
  const check = (model: string, expected: number): void => {
    it(`100 cl100k and 90 o200k tokens take ${expected} with ${model}`, () => {
      assert.equal(tokensOf({ cl100k: 100, o200k: 90 }, countingFormula(modelId(model))), expected);
    });
  };
  check("gpt-4", 104);
  check("gpt-5.2", 94);
  check("claude-haiku-4-5", 114);
  check("claude-sonnet-5-5", 141);
  check("gemini-2.5-pro", 100);
});

describe("a tool result of 110 counted tokens", () => {
  const tokens = { cl100k: 110, o200k: 110 };
  const check = (model: string, partCount: number, expected: number): void => {
    it(`and ${partCount} parts costs ${expected} with ${model}`, () => {
      const entry = { id: messageId(2), batch: messageId(1), partCount, tokens };
      assert.equal(new TokenCosts(modelId(model)).ofEntry(entry), expected);
    });
  };
  check("claude-sonnet-4-5", 1, 177);
  check("claude-opus-4-5", 2, 217);
  check("gemini-3-pro-preview", 1, 115);
  check("gemini-3-pro-preview", 20, 1);
  check("gpt-5.2", 2, 114);
});
