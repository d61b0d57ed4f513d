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
  it("puts everything that a conversation can hold on the wire", () => {
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

  it("makes requests that the service takes, of any conversation", () => {
    const property = fc.property(anyConversation, (given) => {
      assert.equal(refuseMessages(encodeRequest(given, OPTIONS, ANYTHING), SERVED), undefined);
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 1_000 });
  });

  it("sends what was sent before unchanged, so that the cache holds", () => {
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

  describe("sends how much to think in the words of the model", () => {
    const check = (options: Partial<StreamOptions>, expected: object, refused: readonly string[] = []): void => {
      const takes = (name: MessagesParameter, value = ""): boolean => !refused.includes(`${name}=${value}`);
      const form = { ...ANYTHING, accepts: takes };
      const { thinking, output_config } = encodeRequest(EVERYTHING, { ...OPTIONS, ...options }, form);
      assert.deepEqual({ thinking, output_config }, expected);
    };
    const old = modelId("claude-haiku-4-5");
    it("nothing where the user wishes nothing, and the model thinks only when it is told to", () => {
      for (const model of ["claude-haiku-4-5", "claude-opus-4-8"]) {
        check({ model: modelId(model) }, { thinking: undefined, output_config: undefined });
      }
    });
    it("that it wants to see the thoughts of a model that thinks unasked", () =>
      check({}, { thinking: { type: "adaptive", display: "summarized" }, output_config: undefined }));
    it("an effort to newer ones", () =>
      check(
        { reasoningEffort: "max" },
        { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "max" } },
      ));
    it("tokens to older ones", () =>
      check(
        { model: old, maxOutputTokens: 64_000, reasoningEffort: "high" },
        { thinking: { type: "enabled", budget_tokens: 16_384 }, output_config: undefined },
      ));
    it("no more tokens than leave an answer", () =>
      check(
        { model: old, maxOutputTokens: 4_000, reasoningEffort: "max" },
        { thinking: { type: "enabled", budget_tokens: 2_976 }, output_config: undefined },
      ));
    it("none where there is no room for them", () =>
      check(
        { model: old, maxOutputTokens: 2_000, reasoningEffort: "max" },
        { thinking: undefined, output_config: undefined },
      ));
    it("none at all", () =>
      check({ reasoningEffort: "none" }, { thinking: { type: "disabled" }, output_config: undefined }));
    it("as little as it can where a model does not do without", () => {
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
