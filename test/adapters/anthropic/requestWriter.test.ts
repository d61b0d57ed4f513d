import assert from "node:assert/strict";
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages/messages";
import { MessagesRequestWriter } from "../../../src/adapters/anthropic/requestWriter.ts";
import { textMessage, type Message, type Part } from "../../../src/core/message.ts";
import { toolCallId } from "../../../src/core/ids.ts";
import { requestOf, requestTextOf, type Exported } from "../../support/models/exportedRequest.ts";
import { EVERYTHING } from "../../support/models/wireHistories.ts";

const ENDED = "[The conversation ends here. Write your next message in the place of this one.]";
const messages = (...given: readonly Message[]): readonly Exported[] => given.map((message) => ({ message }));
const request = (...given: readonly Message[]): Promise<unknown> =>
  requestOf(messages(...given), new MessagesRequestWriter());
const called = (...ids: readonly string[]): Message => ({
  role: "assistant",
  parts: ids.map((id) => ({ kind: "toolCall", callId: toolCallId(id), name: "web.run", inputJson: "{}" })),
});
const result = (id: string, text: string): Part => ({
  kind: "toolResult",
  callId: toolCallId(id),
  outcome: "ok",
  text,
});

describe("a conversation as a request of the Messages API", () => {
  it("has every kind of content that a conversation can hold, in the types of the SDK", async () => {
    const expected: MessageCreateParamsNonStreaming = {
      model: "a-model",
      max_tokens: 500,
      system: "Be brief.",
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
        { role: "user", content: [{ type: "text", text: ENDED }] },
      ],
      tools: [
        {
          name: "read_file",
          description: "Reads a file.",
          input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        },
      ],
    };
    const { messages: given, ...about } = EVERYTHING;
    assert.deepEqual(await requestOf(messages(...given), new MessagesRequestWriter(), about), expected);
  });

  it("is one line for each block", async () => {
    const text = await requestTextOf(
      messages(textMessage("user", "a"), textMessage("user", "b")),
      new MessagesRequestWriter(),
    );
    assert.equal(
      text,
      '{"model":"a-model","max_tokens":500,"messages":[\n{"role":"user","content":[{"type":"text","text":"a"},\n{"type":"text","text":"b"}]}\n]}\n',
    );
  });

  it("begins and ends with the user's turn", async () => {
    const made = (await request(textMessage("assistant", "Hello."))) as MessageCreateParamsNonStreaming;
    assert.deepEqual(
      made.messages.map(({ role, content }) => [role, content]),
      [
        ["user", [{ type: "text", text: "[The conversation began earlier; what came before is not included.]" }]],
        ["assistant", [{ type: "text", text: "Hello." }]],
        ["user", [{ type: "text", text: ENDED }]],
      ],
    );
    const empty = (await request(textMessage("user", " "))) as MessageCreateParamsNonStreaming;
    assert.deepEqual(empty.messages, [{ role: "user", content: [{ type: "text", text: ENDED }] }]);
  });

  it("has the results of a round first and together, in the order of the calls, and says which are missing", async () => {
    const made = (await request(
      textMessage("user", "Go"),
      called("a:1", "b", "c"),
      { role: "user", parts: [result("b", "B"), { kind: "image", mediaType: "image/png", dataBase64: "AA==" }] },
      { role: "user", parts: [result("a:1", "A"), result("a:1", "again")] },
      textMessage("user", "Well?"),
      called("b"),
      textMessage("assistant", "I stopped."),
    )) as MessageCreateParamsNonStreaming;
    const use = (id: string): object => ({ type: "tool_use", id, name: "web_run", input: {} });
    const got = (id: string, content: string, is_error = false): object => {
      return { type: "tool_result", tool_use_id: id, is_error, content };
    };
    const missing = "Interrupted: there is no result.";
    const [, ...rest] = made.messages.map(({ content }) => content);
    assert.deepEqual(rest.slice(0, -1), [
      [use("a_1"), use("b"), use("c")],
      [
        got("a_1", "A"),
        got("b", "B"),
        got("c", missing, true),
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
        {
          type: "text",
          text: '<attachment name="Result of a tool whose call is lost">\nagain\n</attachment>',
        },
        { type: "text", text: "Well?" },
      ],
      [use("b_2")],
      [got("b_2", missing, true)],
      [{ type: "text", text: "I stopped." }],
    ]);
    assert.deepEqual(made.tools, [
      {
        name: "web_run",
        description: "Was called in this conversation; how it is defined is not known.",
        input_schema: { type: "object", properties: {} },
      },
    ]);
  });
});
