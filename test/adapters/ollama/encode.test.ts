import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeChat, type OllamaForm } from "../../../src/adapters/ollama/encode.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../src/core/message.ts";
import type { WireContext } from "../../../src/core/stream/provider.ts";
import { CONTINUE_TEXT } from "../../../src/adapters/http/wireMessages.ts";
import { list } from "../../servers/wireJson.ts";
import { refuseOllamaMessages } from "../../servers/ollamaServer.ts";
import { anyConversation, EVERYTHING } from "../../support/models/wireHistories.ts";

const OPTIONS = { model: modelId("qwen3:8b"), maxOutputTokens: 500 };
const CAN = new Set(["completion", "tools", "vision", "thinking"]);
const FORM: OllamaForm = { facts: { capabilities: CAN }, contextTokens: 8_192, accepts: () => true };

describe("Ollama encoder", () => {
  it("encodes every kind of content that a conversation can hold", () => {
    assert.deepEqual(encodeChat(EVERYTHING, OPTIONS, FORM), {
      model: "qwen3:8b",
      stream: true,
      truncate: false,
      shift: false,
      options: { num_ctx: 8_192, num_predict: 500 },
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
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content:
            "[Record kept by the application, not a new request]\n[Earlier conversation summary]\n" +
            "The user prefers tabs.\n[End of record]\n\nWhat is in this?\n\n" +
            '<attachment name="src/\\"a\\".ts">\nconst a = 1;\n</attachment>',
          images: ["iVBORw0KGgo="],
        },
        {
          role: "assistant",
          content: "Let me look.",
          thinking: "unsigned",
          tool_calls: [
            { id: "call_0", function: { name: "read_file", arguments: { path: "a.ts" } } },
            { id: "call_1", function: { name: "read_file", arguments: { incompleteInput: '{"path":' } } },
          ],
        },
        { role: "tool", tool_call_id: "call_0", tool_name: "read_file", content: "const a = 1;" },
        { role: "tool", tool_call_id: "call_1", tool_name: "read_file", content: "" },
        { role: "user", content: "And now?" },
        { role: "assistant", content: "It holds a constant." },
        { role: "user", content: CONTINUE_TEXT },
      ],
    });
  });

  it("omits tools and describes images in text for a model that supports neither", () => {
    const blind = encodeChat(EVERYTHING, OPTIONS, { ...FORM, facts: { capabilities: new Set(["completion"]) } });
    assert.deepEqual(list(blind, "tools"), []);
    assert.match(JSON.stringify(blind), /A picture of type image\/png/);
    assert.doesNotMatch(JSON.stringify(blind), /iVBORw0KGgo/);
  });

  for (const seesImages of [true, false]) {
    it(`encodes any conversation into messages that a strict template accepts, with${seesImages ? "" : "out"} images`, () => {
      const facts = seesImages ? FORM.facts : { capabilities: new Set(["completion", "tools"]) };
      const property = fc.property(anyConversation, (given) => {
        const messages = list(encodeChat(given, OPTIONS, { ...FORM, facts }), "messages");
        assert.equal(refuseOllamaMessages(messages, seesImages), undefined);
      });
      fc.assert(property, { seed: 20_261_121, numRuns: 1_000 });
    });
  }

  it("encodes earlier messages unchanged in later requests, so that the prompt cache stays valid", () => {
    const sent = (given: WireContext, messages: readonly Message[]): readonly unknown[] =>
      list(encodeChat({ ...given, messages }, OPTIONS, FORM), "messages");
    const property = fc.property(anyConversation, (given) => {
      const asked = [...given.messages, textMessage("user", "One?")];
      const earlier = sent(given, asked);
      const later = sent(given, [...asked, textMessage("assistant", "Yes."), textMessage("user", "Two?")]);
      assert.deepEqual(later.slice(0, earlier.length), earlier);
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 300 });
  });
});
