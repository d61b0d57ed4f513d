/** Responses API items of other servers that differ from OpenAI's. */

import assert from "node:assert/strict";
import { ResponsesDecoder } from "../../../../src/adapters/openai/responses/decode.ts";
import { fold, nameOf, type Received } from "../../../support/models/providerRequests.ts";

function received(...events: readonly object[]): Received {
  const decoder = new ResponsesDecoder({ provider: "openai", secrets: [] });
  return fold(events.flatMap((event) => decoder.decode(event)));
}

const added = (item: object, where: object = {}): object => ({ type: "response.output_item.added", ...where, item });
const done = (item: object, where: object = {}): object => ({ type: "response.output_item.done", ...where, item });
const piece = (kind: string, where: object, delta: string): object => ({
  type: `response.${kind}.delta`,
  ...where,
  delta,
});
const completed = { type: "response.completed", response: { status: "completed" } };

describe("unusual items of a response", () => {
  const thought = { type: "reasoning", id: "rs_1", summary: [{ text: "Hm." }] };
  const message = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "I look." }] };

  it("may reuse an index, and end with an old sequence number", () => {
    const numbered = (sequence_number: number): object => ({ output_index: 0, sequence_number });
    const thinking = [added({ type: "reasoning", id: "rs_1" }, numbered(3)), done(thought, numbered(6))];
    const said = ["I ", "look."].map((delta, index) =>
      piece("output_text", { item_id: "msg_1", ...numbered(7 + index) }, delta),
    );
    const ended = done(message, numbered(1));
    for (const events of [
      [...thinking, ...said, ended, ended],
      [...thinking, ended, ended],
    ]) {
      const { thinking: told, text, end } = received(...events, completed);
      assert.deepEqual([told, text, nameOf(end)], ["Hm.", "I look.", "endTurn"]);
    }
  });

  it("may have no index, and all end together", () => {
    const calls = [
      { type: "function_call", call_id: "call_1", name: "now", arguments: "{}" },
      { type: "function_call", call_id: "call_2", name: "now", arguments: '{"zone":"UTC"}' },
    ];
    const { thinking, text, toolCalls, end } = received(
      added({ ...thought, summary: [] }),
      piece("reasoning_text", { item_id: "rs_1" }, "Hm."),
      added({ ...message, content: [] }),
      piece("output_text", { item_id: "msg_1" }, "I look."),
      ...calls.flatMap((call) => [
        added({ ...call, arguments: "" }),
        piece("function_call_arguments", { item_id: call.call_id }, call.arguments),
      ]),
      ...[thought, message, ...calls].map((item) => done(item)),
      completed,
    );
    assert.deepEqual([thinking, text, nameOf(end)], ["Hm.", "I look.", "toolUse"]);
    assert.deepEqual(
      toolCalls.map(({ id, inputJson }) => [id, inputJson]),
      calls.map(({ call_id, arguments: json }) => [call_id, json]),
    );
  });

  it("belong to a truncated answer when a gateway reports it as incomplete, with or without a reason", () => {
    const check = (type: string, response: object, expected: string): void => {
      assert.equal(nameOf(received(done(message), { type, response }).end), expected);
    };
    for (const incomplete_details of [null, { reason: null }, { reason: "max_output_tokens" }])
      check("response.completed", { status: "incomplete", incomplete_details }, "maxTokens");
    check("response.incomplete", {}, "maxTokens");
    const incomplete_details = { reason: "content_filter" };
    check("response.incomplete", { status: "incomplete", incomplete_details }, "refusal");
    check("response.completed", { status: "completed", incomplete_details: null }, "endTurn");
  });
});
