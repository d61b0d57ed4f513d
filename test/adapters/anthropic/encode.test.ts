import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeRequest } from "../../../src/adapters/anthropic/encode.ts";
import type { MessagesParameter, RequestForm } from "../../../src/adapters/anthropic/thinking.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import type { StreamOptions } from "../../../src/core/stream/provider.ts";
import { CONTINUE_TEXT } from "../../../src/adapters/http/wireMessages.ts";
import { refuseMessages } from "../../servers/anthropicRules.ts";
import { anyConversation, EVERYTHING } from "../../support/models/wireHistories.ts";

const OPTIONS = { model: modelId("claude-haiku-5-5"), maxOutputTokens: 500 };
const CACHED = { cache_control: { type: "ephemeral" } };
const ANYTHING: RequestForm = { accepts: () => true, earlier: "all" };
const SERVED = { id: "claude-haiku-5-5", contextWindow: 1_000_000, maxOutput: 64_000 };

describe("Anthropic encoder", () => {
  it("encodes every kind of content that a conversation can hold", () => {
    assert.deepEqual(encodeRequest(EVERYTHING, OPTIONS, ANYTHING), {
      model: "claude-haiku-5-5",
      max_tokens: 500,
      stream: true,
      thinking: { type: "adaptive", display: "summarized" },
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
            { type: "text", text: "And now?", ...CACHED },
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

  it("encodes any conversation into a request that the service accepts", () => {
    const property = fc.property(anyConversation, (given) => {
      assert.equal(refuseMessages(encodeRequest(given, OPTIONS, ANYTHING), SERVED), undefined);
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 1_000 });
  });

  it("encodes earlier messages unchanged in later requests, so that the prompt cache stays valid", () => {
    const withoutMarks = (messages: readonly unknown[]): string =>
      JSON.stringify(messages).replaceAll(`,${JSON.stringify(CACHED).slice(1, -1)}`, "");
    const property = fc.property(anyConversation, (given) => {
      const asked = [...given.messages, textMessage("user", "One?")];
      const earlier = encodeRequest({ ...given, messages: asked }, OPTIONS, ANYTHING).messages;
      const later = encodeRequest(
        { ...given, messages: [...asked, textMessage("assistant", "Yes."), textMessage("user", "Two?")] },
        OPTIONS,
        ANYTHING,
      );
      assert.equal(withoutMarks(later.messages.slice(0, earlier.length)), withoutMarks(earlier));
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 300 });
  });

  describe("reasoning effort", () => {
    const check = (options: Partial<StreamOptions>, expected: object, refused: readonly string[] = []): void => {
      const takes = (name: MessagesParameter, value = ""): boolean => !refused.includes(`${name}=${value}`);
      const form = { ...ANYTHING, accepts: takes };
      const { thinking, output_config } = encodeRequest(EVERYTHING, { ...OPTIONS, ...options }, form);
      assert.deepEqual({ thinking, output_config }, expected);
    };
    const old = modelId("claude-haiku-4-5");
    it("omits thinking parameters when no effort is set and the model thinks only on request", () => {
      for (const model of ["claude-haiku-4-5", "claude-opus-4-8"]) {
        check({ model: modelId(model) }, { thinking: undefined, output_config: undefined });
      }
    });
    it("requests summarized thinking from a model that thinks by default", () =>
      check({}, { thinking: { type: "adaptive", display: "summarized" }, output_config: undefined }));
    it("sends an effort to newer models", () =>
      check(
        { reasoningEffort: "max" },
        { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "max" } },
      ));
    it("sends a token budget to older models", () =>
      check(
        { model: old, maxOutputTokens: 64_000, reasoningEffort: "high" },
        { thinking: { type: "enabled", budget_tokens: 16_384 }, output_config: undefined },
      ));
    it("limits the token budget so that tokens remain for the answer", () =>
      check(
        { model: old, maxOutputTokens: 4_000, reasoningEffort: "max" },
        { thinking: { type: "enabled", budget_tokens: 2_976 }, output_config: undefined },
      ));
    it("omits the token budget when the output limit leaves no room for it", () =>
      check(
        { model: old, maxOutputTokens: 2_000, reasoningEffort: "max" },
        { thinking: undefined, output_config: undefined },
      ));
    it("disables thinking for the effort none", () =>
      check({ reasoningEffort: "none" }, { thinking: { type: "disabled" }, output_config: undefined }));
    it("requests the least thinking when the model refuses to disable it", () => {
      check({ reasoningEffort: "none" }, { thinking: { type: "between_tools" }, output_config: undefined }, [
        "thinking=disabled",
      ]);
      check(
        { reasoningEffort: "none" },
        { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
        ["thinking=disabled", "thinking=between_tools"],
      );
    });
  });
});
