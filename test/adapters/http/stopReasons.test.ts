import assert from "node:assert/strict";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import { describe, it } from "mocha";
import { AnthropicDecoder } from "../../../src/adapters/anthropic/decode.ts";
import { OllamaDecoder } from "../../../src/adapters/ollama/decode.ts";
import { ChatDecoder } from "../../../src/adapters/openai/chat/decode.ts";
import { ResponsesDecoder } from "../../../src/adapters/openai/responses/decode.ts";
import { modelId } from "../../../src/core/ids.ts";
import { answerStop } from "../../../src/core/stream/answerStop.ts";
import type { StreamEvent, StopReason } from "../../../src/core/stream/streamEvent.ts";

const facts = { provider: "test", model: modelId("m"), secrets: [] };

/** The end of an answer "It goes" that stops for a reason of the wire's own. */
const WIRES: Readonly<Record<string, (reason: string) => readonly StreamEvent[]>> = {
  "Chat Completions": (finish_reason) => {
    const decoder = new ChatDecoder(facts);
    const pieces = [{ choices: [{ delta: { content: "It goes" } }] }, { choices: [{ delta: {}, finish_reason }] }];
    return [...pieces.flatMap((piece) => decoder.decode(piece)), ...decoder.end()];
  },
  Messages: (stop_reason) => {
    const decoder = new AnthropicDecoder();
    const events: readonly unknown[] = [
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "It goes" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason } },
      { type: "message_stop" },
    ];
    return (events as readonly RawMessageStreamEvent[]).flatMap((event) => decoder.decode(event));
  },
  Responses: (reason) => {
    const decoder = new ResponsesDecoder(facts);
    const isWhole = reason === "";
    const events = [
      { type: "response.output_text.delta", output_index: 0, item_id: "a", delta: "It goes" },
      {
        type: isWhole ? "response.completed" : "response.incomplete",
        response: { status: isWhole ? "completed" : "incomplete", incomplete_details: isWhole ? null : { reason } },
      },
    ];
    return events.flatMap((event) => decoder.decode(event));
  },
  Ollama: (done_reason) => {
    const decoder = new OllamaDecoder(facts);
    return [{ message: { content: "It goes" } }, { done: true, done_reason }].flatMap((line) => decoder.decode(line));
  },
};

const CASES: readonly (readonly [wire: keyof typeof WIRES, reason: string, expected: StopReason])[] = [
  ["Chat Completions", "stop", "endTurn"],
  ["Chat Completions", "length", "maxTokens"],
  ["Chat Completions", "MAX_TOKENS", "maxTokens"],
  ["Chat Completions", "model_length", "contextFull"],
  ["Chat Completions", "model_context_window_exceeded", "contextFull"],
  ["Chat Completions", "content_filter", "refusal"],
  ["Chat Completions", "refusal", "refusal"],
  ["Chat Completions", "PROHIBITED_CONTENT", "refusal"],
  ["Chat Completions", "pause_turn", "pause"],
  ["Messages", "end_turn", "endTurn"],
  ["Messages", "stop_sequence", "stopSequence"],
  ["Messages", "max_tokens", "maxTokens"],
  ["Messages", "length", "maxTokens"],
  ["Messages", "model_context_window_exceeded", "contextFull"],
  ["Messages", "refusal", "refusal"],
  ["Messages", "content_filter", "refusal"],
  ["Messages", "pause_turn", "pause"],
  ["Responses", "", "endTurn"],
  ["Responses", "max_output_tokens", "maxTokens"],
  ["Responses", "content_filter", "refusal"],
  ["Responses", "context_length_exceeded", "contextFull"],
  ["Responses", "pause_turn", "pause"],
  ["Responses", "of another kind", "maxTokens"],
  ["Ollama", "stop", "endTurn"],
  ["Ollama", "length", "maxTokens"],
  ["Ollama", "content_filter", "refusal"],
];

describe("stop reasons on the wire", () => {
  for (const [wire, reason, expected] of CASES) {
    it(`L1 ${wire}: ${reason || "none"} is ${expected}`, () => {
      const events = WIRES[wire]?.(reason).filter(({ kind }) => kind !== "usage");
      assert.deepEqual(events, [
        { kind: "text", text: "It goes" },
        { kind: "done", stopReason: expected },
      ]);
    });
  }
});

describe("why an answer is not complete", () => {
  const limits = { contextWindow: 8_192, maxOutput: 2_000 };
  const billed = (inputTokens: number, outputTokens: number) => ({
    ...{ inputTokens, outputTokens },
    ...{ cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  });
  const cases: readonly (readonly [string, Parameters<typeof answerStop>, ReturnType<typeof answerStop>])[] = [
    ["a whole answer", ["endTurn", billed(100, 20), limits], undefined],
    [
      "an answer that is called whole at its limit",
      ["endTurn", billed(100, 2_000), limits],
      { reason: "maxTokens", tokens: 2_000 },
    ],
    ["calls", ["toolUse", billed(100, 20), limits], undefined],
    ["a refusal", ["refusal", billed(100, 20), limits], { reason: "refusal" }],
    ["a pause", ["pause", undefined, limits], { reason: "pause" }],
    ["its limit", ["maxTokens", billed(100, 2_000), limits], { reason: "maxTokens", tokens: 2_000 }],
    [
      "its limit, billed with one less",
      ["maxTokens", billed(100, 1_999), limits],
      { reason: "maxTokens", tokens: 2_000 },
    ],
    ["its limit, without a bill", ["maxTokens", undefined, limits], { reason: "maxTokens", tokens: 2_000 }],
    ["a limit of the server", ["maxTokens", billed(100, 300), limits], { reason: "maxTokens", tokens: 300 }],
    ["a full window, said as length", ["maxTokens", billed(8_093, 99), limits], { reason: "contextFull", tokens: 99 }],
    ["a full window", ["contextFull", billed(8_093, 99), limits], { reason: "contextFull", tokens: 99 }],
    ["a full window, without a bill", ["contextFull", undefined, limits], { reason: "contextFull" }],
    ["a step of an earlier version", ["maxTokens", billed(100, 300), undefined], { reason: "maxTokens", tokens: 300 }],
  ];
  for (const [title, given, expected] of cases) {
    it(`L1 is told for ${title}`, () => {
      assert.deepEqual(answerStop(...given), expected);
    });
  }
});
