import assert from "node:assert/strict";
import { roomForAnswer } from "../../../src/core/stream/roomForAnswer.ts";

describe("roomForAnswer", () => {
  const check = (message: string, expected: number | undefined): void => {
    assert.equal(roomForAnswer(message, { contextWindow: 32_768, maxOutputTokens: 4_096 }), expected, message);
  };
  it("is what the question leaves of the window, in the words of many services", () => {
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
  it("is nothing where the conversation has to be shortened, or the window is another", () => {
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
