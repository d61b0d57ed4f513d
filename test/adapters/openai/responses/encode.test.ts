import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeResponses, type ResponsesForm } from "../../../../src/adapters/openai/responses/encode.ts";
import { modelId } from "../../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../../src/core/message.ts";
import type { StreamOptions } from "../../../../src/core/stream/provider.ts";
import { openAiSignature } from "../../../../src/adapters/http/signatures.ts";
import { CONTINUE_TEXT } from "../../../../src/adapters/http/wireMessages.ts";
import { refuseResponses } from "../../../servers/responsesRules.ts";
import { anyConversation, EVERYTHING } from "../../../support/models/wireHistories.ts";

const OPTIONS: StreamOptions = { model: modelId("gpt-6-luna"), maxOutputTokens: 500 };
const SERVED = { id: "gpt-6-luna", contextWindow: 1_000_000, maxOutput: 64_000 };
const ANYTHING: ResponsesForm = { accepts: () => true, withReasoning: true };
const SIGNATURE = openAiSignature({ id: "rs_7", encrypted: "sealed-7" });

describe("Responses encoder", () => {
  it("encodes every kind of content", () => {
    assert.deepEqual(encodeResponses(EVERYTHING, OPTIONS, ANYTHING), {
      model: "gpt-6-luna",
      max_output_tokens: 500,
      stream: true,
      store: false,
      instructions: "Be brief.",
      tools: [
        {
          type: "function",
          name: "read_file",
          description: "Reads a file.",
          parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          strict: false,
        },
      ],
      reasoning: { summary: "auto" },
      include: ["reasoning.encrypted_content"],
      input: [
        { role: "system", content: "[Earlier conversation summary]\nThe user prefers tabs." },
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is in this?" },
            { type: "input_text", text: '<attachment name="src/\\"a\\".ts">\nconst a = 1;\n</attachment>' },
            { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBORw0KGgo=" },
          ],
        },
        { type: "message", role: "assistant", content: "Let me look." },
        { type: "function_call", call_id: "call_0", name: "read_file", arguments: '{"path":"a.ts"}' },
        {
          type: "function_call",
          call_id: "call_1",
          name: "read_file",
          arguments: '{"incompleteInput":"{\\"path\\":"}',
        },
        { type: "function_call_output", call_id: "call_0", output: "const a = 1;" },
        { type: "function_call_output", call_id: "call_1", output: "" },
        { role: "user", content: [{ type: "input_text", text: "And now?" }] },
        { type: "message", role: "assistant", content: "It holds " },
        { type: "message", role: "assistant", content: "a constant." },
        { role: "user", content: CONTINUE_TEXT },
      ],
    });
  });

  describe("sends the model's own reasoning back", () => {
    const thought: Message = {
      role: "assistant",
      parts: [
        { kind: "thinking", text: "Hm.", signature: SIGNATURE },
        { kind: "text", text: "Seven." },
      ],
    };
    const reasoning = {
      type: "reasoning",
      id: "rs_7",
      summary: [{ type: "summary_text", text: "Hm." }],
      encrypted_content: "sealed-7",
    };
    const check = (messages: readonly Message[], form: ResponsesForm, expected: readonly object[]): void => {
      assert.deepEqual(encodeResponses({ systemPrompt: "", tools: [], messages }, OPTIONS, form).input, expected);
    };
    const asked = { role: "user", content: [{ type: "input_text", text: "Why?" }] };

    it("encrypted, before what followed it", () => {
      check([thought, textMessage("user", "Why?")], ANYTHING, [
        { role: "user", content: "[The conversation began earlier; what came before is not included.]" },
        reasoning,
        { type: "message", role: "assistant", content: "Seven." },
        asked,
      ]);
    });
    it("not when the service does not know it", () => {
      check(
        [textMessage("user", "Why?"), thought, textMessage("user", "Why?")],
        { ...ANYTHING, withReasoning: false },
        [asked, { type: "message", role: "assistant", content: "Seven." }, asked],
      );
    });
    it("not when nothing followed it", () => {
      const cut: Message = { role: "assistant", parts: thought.parts.slice(0, 1) };
      check([textMessage("user", "Why?"), cut, textMessage("user", "Why?")], ANYTHING, [asked, asked]);
    });
  });

  describe("sends generation options in the service's terms, and only to models that support them", () => {
    const check = (options: Partial<StreamOptions>, expected: object): void => {
      const { reasoning, text, include } = encodeResponses(EVERYTHING, { ...OPTIONS, ...options }, ANYTHING);
      assert.deepEqual({ reasoning, text, include }, expected);
    };
    const include = ["reasoning.encrypted_content"];
    it("reasoning effort", () =>
      check({ reasoningEffort: "max" }, { reasoning: { summary: "auto", effort: "xhigh" }, text: undefined, include }));
    it("verbosity", () =>
      check({ answerLength: "short" }, { reasoning: { summary: "auto" }, text: { verbosity: "low" }, include }));
    it("none of them to an older model", () =>
      check(
        { model: modelId("gpt-4.1"), reasoningEffort: "high", answerLength: "short" },
        { reasoning: undefined, text: undefined, include: undefined },
      ));
  });

  it("makes valid requests of any conversation", () => {
    const property = fc.property(anyConversation, (given) => {
      assert.equal(refuseResponses(encodeResponses(given, OPTIONS, ANYTHING), SERVED), undefined);
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 1_000 });
  });

  it("sends earlier messages unchanged, so that the cache holds", () => {
    const property = fc.property(anyConversation, (given) => {
      const asked = [...given.messages, textMessage("user", "One?")];
      const inputOf = (messages: readonly Message[]): readonly unknown[] => {
        const { input } = encodeResponses({ ...given, messages }, OPTIONS, ANYTHING);
        return Array.isArray(input) ? input : [];
      };
      const earlier = inputOf(asked);
      const later = inputOf([...asked, textMessage("assistant", "Yes."), textMessage("user", "Two?")]);
      assert.deepEqual(later.slice(0, earlier.length), earlier);
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 300 });
  });
});
