/** Events of Anthropic's protocol that gateways send differently from Anthropic's own service. */

import assert from "node:assert/strict";
import { AnthropicDecoder } from "../../../src/adapters/anthropic/decode.ts";
import { fold, type Received } from "../../support/models/providerRequests.ts";

function received(...events: readonly object[]): Received {
  const decoder = new AnthropicDecoder();
  // The wire is untyped: the decoder has to tolerate any event.
  return fold(events.flatMap((event) => decoder.decode(event as Parameters<typeof decoder.decode>[0])));
}

describe("AnthropicDecoder with nonstandard events", () => {
  const block = (where: object, content_block: object): readonly object[] => [
    { type: "content_block_start", ...where, content_block },
    { type: "content_block_stop", ...where },
  ];

  it("starts a new block when an index is reused or missing after the previous block ended", () => {
    const call = { type: "tool_use", id: "toolu_1", name: "now", input: { zone: "UTC" } };
    for (const where of [{ index: 0 }, {}]) {
      const { text, toolCalls } = received(
        ...block(where, { type: "text", text: "I look." }),
        ...block(where, call),
        ...block(where, { ...call, id: "toolu_2" }),
      );
      assert.deepEqual(
        [text, toolCalls.map(({ id, inputJson }) => [id, inputJson])],
        [
          "I look.",
          [
            ["toolu_1", '{"zone":"UTC"}'],
            ["toolu_2", '{"zone":"UTC"}'],
          ],
        ],
      );
    }
  });

  it("keeps the higher of the initial and final token counts", () => {
    const first = { input_tokens: 20, cache_read_input_tokens: 5, cache_creation_input_tokens: 3, output_tokens: 1 };
    const last = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: null, output_tokens: 9 };
    const usageOf = (started: object, ended: object): unknown =>
      received(
        { type: "message_start", message: { usage: started } },
        { type: "message_delta", delta: {}, usage: ended },
      ).usage;
    const counted = { inputTokens: 28, outputTokens: 9, cacheReadTokens: 5, cacheWriteTokens: 3, reasoningTokens: 0 };
    assert.deepEqual([usageOf(first, last), usageOf(last, { ...first, output_tokens: 9 })], [counted, counted]);
  });
});
