import assert from "node:assert/strict";
import {
  contextOverflow,
  saysContextOverflow,
  remainingOutputTokens,
} from "../../../src/adapters/http/lengthErrors.ts";
import { httpFailure } from "../../../src/adapters/http/httpFailure.ts";

describe("contextOverflow", () => {
  const check = (detail: string, expected: number | undefined): void => {
    assert.equal(contextOverflow("p", detail).windowTokens, expected, detail);
  };
  it("reads the context window from the messages of many servers", () => {
    for (const [detail, expected] of [
      ["This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.", 4_096],
      ["This endpoint's maximum context length is 163,840 tokens. However, you requested about 170000 tokens", 163_840],
      [
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
        4_096,
      ],
      ["request (5000 tokens) exceeds the available context size (8192 tokens), try increasing it", 8_192],
      ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
      ["input length and `max_tokens` exceed context limit: 199211 + 64000 > 200000, decrease input length", 200_000],
      ["Invalid request: Your request exceeded model token limit: 131072 (requested: 200000)", 131_072],
      ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
      ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
      ["prompt token count of 130000 exceeds the limit of 128000", 128_000],
      ["The input (516368 tokens) is longer than the model's context length (262144 tokens).", 262_144],
      ["The decoder prompt (length 5951) is longer than the maximum model length of 4096. Make sure", 4_096],
      [
        "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        32_768,
      ],
      [
        "AiError: The estimated number of input and maximum output tokens (8810) exceeded this model context window limit (8192)",
        8_192,
      ],
      ["InternalError.Algo.InvalidParameter: Range of input length should be [1, 202745]", 202_745],
      ["Input length 877338 exceeds the maximum allowed input length of 639968 tokens", 639_968],
      ["Requested input length 131393 exceeds maximum input length 131040", 131_040],
      [
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens",
        8_193,
      ],
      ["too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.", 4_081],
      ["the number of input tokens 4098 cannot exceed the total tokens limit 4096 for this model", 4_096],
      ["Prompt has 32769 tokens, but the configured context size is 32768 tokens", 32_768],
      ["Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.", 272_000],
      ["Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192", 8_192],
    ] as const) {
      assert.ok(saysContextOverflow(detail), detail);
      check(detail, expected);
    }
  });
  it("reads no context window from other messages", () => {
    check("The prompt is longer than the model's context.", undefined);
    check("exceeds the limit of 6000 tokens per minute", undefined);
    check("maximum context length is 0 tokens", undefined);
    const message = "maximum context length is 4096 tokens";
    const error = httpFailure({ provider: "p", secrets: [], status: 429, type: "", message });
    assert.ok(!("windowTokens" in error));
  });
});

describe("remainingOutputTokens", () => {
  const check = (message: string, expected: number | undefined): void => {
    assert.equal(remainingOutputTokens(message, { contextWindow: 32_768, maxOutputTokens: 4_096 }), expected, message);
  };
  it("subtracts the input from the context window, for the messages of many services", () => {
    check(
      "This model's maximum context length is 32768 tokens. However, you requested 33096 tokens (29000 in the messages, 4096 in the completion).",
      3_768,
    );
    check(
      "This endpoint's maximum context length is 32,768 tokens. However, you requested about 33096 tokens (28000 of text input, 1000 of tool input, 4096 in the output).",
      3_768,
    );
    check(
      "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 32768 tokens and your request has 29000 input tokens (4096 > 32768 - 29000).",
      3_768,
    );
    check("input length and `max_tokens` exceed context limit: 29000 + 4096 > 32768, decrease input length", 3_768);
  });
  it("returns undefined when the conversation must be shortened or the context window differs", () => {
    const words = (window: number, input: number): string =>
      `This model's maximum context length is ${String(window)} tokens and your request has ${String(input)} input tokens`;
    check(words(32_768, 31_744), 1_024);
    check(words(32_768, 31_745), undefined);
    check(words(32_768, 40_000), undefined);
    check(words(16_384, 13_000), undefined);
    check(words(65_536, 61_800), 3_736);
    check(words(65_536, 20_000), undefined);
    check("This model's maximum context length is 32768 tokens. Please shorten it.", undefined);
    check("prompt is too long: 33000 tokens > 32768 maximum", undefined);
  });
});

describe("contextOverflow", () => {
  it("§6 learns the window from by how much vLLM says that it is exceeded", () => {
    const windowOf = (message: string, sentTokens?: number): number | undefined =>
      contextOverflow("p", message, { sentTokens }).windowTokens;
    assert.deepEqual(
      [
        windowOf("max_tokens must be at least 1, got -7584.", 40_352),
        windowOf("max_tokens must be at least 1, got -7584."),
        windowOf("length of prompt_tokens (48322) must be less than max_seq_len (32768).", 50_000),
      ],
      [32_768, undefined, 32_768],
    );
  });
});
