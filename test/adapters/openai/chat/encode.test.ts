import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeRequest, type ChatForm } from "../../../../src/adapters/openai/chat/encode.ts";
import { modelId } from "../../../../src/core/ids.ts";
import { CONTINUE_TEXT } from "../../../../src/adapters/http/wireMessages.ts";
import { refuseChat } from "../../../servers/openaiRules.ts";
import { anyConversation, EVERYTHING } from "../../../support/models/wireHistories.ts";

const OPTIONS = { model: modelId("gpt-6-luna"), maxOutputTokens: 500 };
const SERVED = { id: "gpt-6-luna", contextWindow: 1_000_000, maxOutput: 64_000 };
const SUMMARY = "[Earlier conversation summary]\nThe user prefers tabs.";
const ATTACHMENT = '<attachment name="src/\\"a\\".ts">\nconst a = 1;\n</attachment>';

const COMMON = [
  {
    role: "assistant",
    content: "Let me look.",
    tool_calls: [
      { type: "function", id: "call_0", function: { name: "read_file", arguments: '{"path":"a.ts"}' } },
      {
        type: "function",
        id: "call_1",
        function: { name: "read_file", arguments: '{"incompleteInput":"{\\"path\\":"}' },
      },
    ],
  },
  { role: "tool", tool_call_id: "call_0", content: "const a = 1;" },
  { role: "tool", tool_call_id: "call_1", content: "" },
  { role: "user", content: "And now?" },
  { role: "assistant", content: "It holds a constant." },
  { role: "user", content: CONTINUE_TEXT },
];
const QUESTION = [
  { type: "text", text: "What is in this?" },
  { type: "text", text: ATTACHMENT },
  { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
];
const TOOLS = [
  {
    type: "function",
    function: {
      name: "read_file",
      description: "Reads a file.",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  },
];

const formOf = (dialect: ChatForm["dialect"]): ChatForm => ({ dialect, accepts: () => true, allows: () => true });

describe("Chat Completions encoder", () => {
  it("encodes every kind of content", () => {
    assert.deepEqual(encodeRequest(EVERYTHING, OPTIONS, formOf("openai")), {
      model: "gpt-6-luna",
      max_completion_tokens: 500,
      stream: true,
      stream_options: { include_usage: true },
      tools: TOOLS,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "system", content: SUMMARY },
        { role: "user", content: QUESTION },
        ...COMMON,
      ],
    });
  });

  it("frames summaries as user messages for servers with a strict template", () => {
    const record = {
      type: "text",
      text: `[Record kept by the application, not a new request]\n${SUMMARY}\n[End of record]`,
    };
    assert.deepEqual(encodeRequest(EVERYTHING, OPTIONS, formOf("openaiCompatible")), {
      model: "gpt-6-luna",
      max_tokens: 500,
      stream: true,
      stream_options: { include_usage: true },
      tools: TOOLS,
      messages: [{ role: "system", content: "Be brief." }, { role: "user", content: [record, ...QUESTION] }, ...COMMON],
    });
  });

  for (const dialect of ["openai", "openaiCompatible"] as const) {
    it(`encodes any conversation into a request that the server accepts: ${dialect}`, () => {
      const property = fc.property(anyConversation, (given) => {
        assert.equal(
          refuseChat(encodeRequest(given, OPTIONS, formOf(dialect)), SERVED, dialect === "openaiCompatible"),
          undefined,
        );
      });
      fc.assert(property, { seed: 20_261_121, numRuns: 1_000 });
    });
  }
});
