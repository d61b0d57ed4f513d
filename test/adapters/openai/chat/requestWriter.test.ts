import assert from "node:assert/strict";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions/completions";
import { ChatRequestWriter } from "../../../../src/adapters/openai/chat/requestWriter.ts";
import { textMessage } from "../../../../src/core/message.ts";
import { requestOf, requestTextOf } from "../../../support/models/exportedRequest.ts";
import { EVERYTHING } from "../../../support/models/wireHistories.ts";

describe("a conversation as a request of Chat Completions", () => {
  it("has every kind of content that a conversation can hold, in the types of the SDK", async () => {
    const expected: ChatCompletionCreateParamsNonStreaming = {
      model: "a-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "system", content: "[Earlier conversation summary]\nThe user prefers tabs." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is in this?" },
            { type: "text", text: '<attachment name="src/\\"a\\".ts">\nconst a = 1;\n</attachment>' },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
          ],
        },
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
        { role: "assistant", content: "It holds " },
        { role: "assistant", content: "a constant." },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "read_file",
            description: "Reads a file.",
            parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          },
        },
      ],
    };
    const { messages, ...about } = EVERYTHING;
    const given = messages.map((message) => ({ message }));
    assert.deepEqual(await requestOf(given, new ChatRequestWriter(), about), expected);
  });

  it("is one line for each message, and has at least one", async () => {
    const text = (...words: readonly string[]): Promise<string> =>
      requestTextOf(
        words.map((word) => ({ message: textMessage("user", word) })),
        new ChatRequestWriter(),
      );
    const [head, end] = ['{"model":"a-model","messages":[\n', "\n]}\n"];
    assert.equal(await text("a", "b"), `${head}{"role":"user","content":"a"},\n{"role":"user","content":"b"}${end}`);
    const ended = "[The conversation ends here. Write your next message in the place of this one.]";
    assert.equal(await text(""), `${head}{"role":"user","content":"${ended}"}${end}`);
  });
});
