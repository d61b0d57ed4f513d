/** Chat Completions chunks of other servers that differ from OpenAI's. */

import assert from "node:assert/strict";
import { ChatDecoder } from "../../../../src/adapters/openai/chat/decode.ts";
import { modelId } from "../../../../src/core/ids.ts";
import type { StreamEvent } from "../../../../src/core/stream/streamEvent.ts";
import { fold, nameOf, type Received } from "../../../support/models/providerRequests.ts";

function received(...chunks: readonly unknown[]): Received {
  const decoder = new ChatDecoder({ provider: "openaiCompatible", model: modelId("local"), secrets: [] });
  const events: StreamEvent[] = chunks.flatMap((chunk) => decoder.decode(chunk));
  return fold(events.some(({ kind }) => kind === "failed") ? events : [...events, ...decoder.end()]);
}

const say = (delta: object): object => ({ choices: [{ index: 0, delta }] });
const stop = (finish_reason: string): object => ({ choices: [{ delta: {}, finish_reason }] });

describe("unusual Chat Completions chunks", () => {
  describe("tool calls", () => {
    const piece = (fields: object, call: object): object => ({ ...fields, function: call });
    const check = (chunks: readonly (readonly object[])[], expected: readonly (readonly string[])[]): void => {
      const said = chunks.map((tool_calls) => say({ tool_calls }));
      const { toolCalls, end } = received(...said, stop("tool_calls"));
      assert.deepEqual(
        toolCalls.map(({ id, name, inputJson }) => [id, name, inputJson]),
        expected,
      );
      assert.equal(nameOf(end), "toolUse");
    };
    const two = [
      ["call_0", "f", '{"a":1}'],
      ["call_1", "g", "{}"],
    ];
    it("are separated without ids, with or without index, in one chunk or two", () => {
      const [f, g] = [
        { name: "f", arguments: '{"a":1}' },
        { name: "g", arguments: "{}" },
      ];
      check([[piece({}, f)], [piece({}, g)]], two);
      check([[piece({ index: 0, id: "" }, f), piece({ index: 0, id: "" }, g)]], two);
      check([[piece({ index: 0 }, f), piece({ index: 1 }, g)]], two);
    });
    it("are separated without ids when the same tool is called twice", () => {
      const call = { name: "f", arguments: '{"a":1}' };
      check(
        [[piece({ index: 0 }, call)], [piece({ index: 0 }, call)]],
        [
          ["call_0", "f", '{"a":1}'],
          ["call_1", "f", '{"a":1}'],
        ],
      );
    });
    it("stay one call when every piece repeats its name, or has another id", () => {
      const first = piece({ index: 0, id: "a" }, { name: "f", arguments: '{"a"' });
      const last = { arguments: ":1}" };
      for (const second of [
        piece({ index: 0 }, { name: "f", ...last }),
        piece({ index: 0, id: "b" }, last),
        piece({}, last),
      ])
        check([[first], [second], [piece({ index: 0 }, { name: "f", arguments: "" })]], [["a", "f", '{"a":1}']]);
    });
    it("are separated when several have the same id, or the generated id of another", () => {
      const f = { name: "f", arguments: '{"a":1}' };
      const g = { name: "g", arguments: "{}" };
      const twice = [
        ["a", "f", '{"a":1}'],
        ["a_2", "g", "{}"],
      ];
      check([[piece({ index: 0, id: "a" }, f), piece({ index: 1, id: "a" }, g)]], twice);
      check([[piece({ index: 0, id: "a" }, f)], [piece({ index: 0, id: "a" }, g)]], twice);
      const last = piece({ index: 1, id: "a" }, { arguments: "{}" });
      check(
        [[piece({ index: 0, id: "a" }, f)], [piece({ index: 1, id: "a" }, { ...g, arguments: "" })], [last]],
        twice,
      );
      check(
        [[piece({ index: 0 }, f)], [piece({ index: 1, id: "call_0" }, g)]],
        [
          ["call_0", "f", '{"a":1}'],
          ["call_0_2", "g", "{}"],
        ],
      );
    });
    it("may be named after their id, or not at all", () => {
      check(
        [[piece({ index: 0, id: "a" }, { arguments: "" })], [piece({ index: 0 }, { name: "f", arguments: "{}" })]],
        [["a", "f", "{}"]],
      );
      check([[piece({ index: 0, id: "a" }, { arguments: "{}" })]], [["a", "", "{}"]]);
    });
    it("may have arguments that are not text", () => {
      check([[piece({ index: 0, id: "a" }, { name: "f", arguments: { a: 1 } })]], [["a", "f", '{"a":1}']]);
    });
  });

  it("may contain text and thinking in many places", () => {
    const check = (delta: object, thinking: string, text: string): void => {
      const said = received(say(delta), stop("stop"));
      assert.deepEqual([said.thinking, said.text, nameOf(said.end)], [thinking, text, "endTurn"]);
    };
    check({ reasoning_content: "", reasoning: "Hm." }, "Hm.", "");
    check({ reasoning_content: "Hm.", reasoning: "Hm." }, "Hm.", "");
    check({ reasoning: "Hm.", reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }, "Hm.", "");
    check({ reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }, "Hm.", "");
    check({ content: [{ type: "text", text: "Yes." }] }, "", "Yes.");
    check({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }, "Hm.", "");
  });

  it("may contain the whole answer, which is not added twice", () => {
    const whole = { choices: [{ message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }] };
    assert.equal(received(whole).text, "Yes.");
    assert.equal(received(say({ content: "Yes." }), whole).text, "Yes.");
  });

  it("may be empty", () => {
    assert.equal(received(null, "", [], say({ content: "Yes." }), stop("stop")).text, "Yes.");
  });

  it("may report usage in every chunk but the last", () => {
    const usage = { prompt_tokens: 5, completion_tokens: 1 };
    const none = { prompt_tokens: 0, completion_tokens: 0 };
    const said = received({ ...say({ content: "a" }), usage }, { ...stop("stop"), usage: none });
    assert.deepEqual([said.usage?.inputTokens, said.usage?.outputTokens], [5, 1]);
  });

  it("may use unusual stop reasons", () => {
    for (const [reason, expected] of [
      ["eos", "endTurn"],
      ["MAX_TOKENS", "maxTokens"],
      ["model_length", "contextFull"],
      ["content_filter: RECITATION", "refusal"],
      ["SAFETY", "refusal"],
      ["sensitive", "refusal"],
      ["insufficient_system_resource", "serverError"],
      ["abort", "serverError"],
      ["network_error", "serverError"],
      ["function_call_filter: MALFORMED_FUNCTION_CALL", "serverError"],
    ] as const)
      assert.equal(nameOf(received(say({ content: "a" }), stop(reason)).end), expected, reason);
  });

  it("may contain an error in mid-answer", () => {
    const check = (chunk: object, expected: string): void => {
      assert.equal(nameOf(received(say({ content: "a" }), chunk).end), expected);
    };
    check({ object: "error", message: "Out of memory.", code: 500 }, "serverError");
    check(
      { object: "error", message: "This model's maximum context length is 4096 tokens.", code: 400 },
      "contextOverflow",
    );
    check({ choices: [{ delta: {}, finish_reason: "error", error: { code: 429, message: "Slow." } }] }, "RATE_LIMITED");
  });
});
