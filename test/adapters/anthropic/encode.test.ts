import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeRequest } from "../../../src/adapters/anthropic/encode.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import { CONTINUE_TEXT } from "../../../src/core/stream/wireMessages.ts";
import { refuseMessages } from "../../servers/anthropicRules.ts";
import { anyConversation, EVERYTHING } from "../../support/wireHistories.ts";

const OPTIONS = { model: modelId("claude-haiku-5-5"), maxOutputTokens: 500 };
const CACHED = { cache_control: { type: "ephemeral" } };
const SERVED = { id: "claude-haiku-5-5", contextWindow: 1_000_000, maxOutput: 64_000 };

describe("Anthropic encoder", () => {
  it("puts everything that a conversation can hold on the wire", () => {
    assert.deepEqual(encodeRequest(EVERYTHING, OPTIONS), {
      model: "claude-haiku-5-5",
      max_tokens: 500,
      stream: true,
      system: [{ type: "text", text: "Be brief.", ...CACHED }],
      tools: [
        {
          name: "read_file",
          description: "Reads a file.",
          input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        },
      ],
      messages: [
        {
          role: "user",
          content: [
            {
              type: "text",
              text: "[Record kept by the application, not a new request]\n[Earlier conversation summary]\nThe user prefers tabs.\n[End of record]",
            },
            { type: "text", text: "What is in this?" },
            { type: "text", text: '<attachment name="src/\\"a\\".ts">\nconst a = 1;\n</attachment>' },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "I should read it.", signature: "sig-1" },
            { type: "redacted_thinking", data: "ENCRYPTED" },
            { type: "text", text: "Let me look." },
            { type: "tool_use", id: "call_0", name: "read_file", input: { path: "a.ts" } },
            { type: "tool_use", id: "call_1", name: "read_file", input: { incompleteInput: '{"path":' } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_0", is_error: false, content: "const a = 1;" },
            { type: "tool_result", tool_use_id: "call_1", is_error: true },
            { type: "text", text: "And now?" },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "It holds " },
            { type: "text", text: "a constant." },
          ],
        },
        { role: "user", content: [{ type: "text", text: CONTINUE_TEXT, ...CACHED }] },
      ],
    });
  });

  it("makes requests that the service takes, of any conversation", () => {
    const property = fc.property(anyConversation, (given) => {
      assert.equal(refuseMessages(encodeRequest(given, OPTIONS), SERVED), undefined);
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 1_000 });
  });

  it("sends what was sent before unchanged, so that the cache holds", () => {
    const withoutMarks = (messages: readonly unknown[]): string =>
      JSON.stringify(messages).replaceAll(`,${JSON.stringify(CACHED).slice(1, -1)}`, "");
    const property = fc.property(anyConversation, (given) => {
      const asked = [...given.messages, textMessage("user", "One?")];
      const earlier = encodeRequest({ ...given, messages: asked }, OPTIONS).messages;
      const later = encodeRequest(
        { ...given, messages: [...asked, textMessage("assistant", "Yes."), textMessage("user", "Two?")] },
        OPTIONS,
      );
      assert.equal(withoutMarks(later.messages.slice(0, earlier.length)), withoutMarks(earlier));
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 300 });
  });
});
