/** Streams of gateways that number, repeat or lose events. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { ResponsesDecoder } from "../../../../src/adapters/openai/responses/decode.ts";
import { fold, nameOf } from "../../../support/models/providerRequests.ts";

interface Told {
  readonly text: string;
  readonly calls: readonly (readonly [name: string, json: string])[];
  readonly end: string;
}

function told(events: readonly object[]): Told {
  const decoder = new ResponsesDecoder({ provider: "openai", secrets: [] });
  const { text, toolCalls, end } = fold(events.flatMap((event) => decoder.decode(event)));
  return { text, calls: toolCalls.map(({ name, inputJson }) => [name, inputJson]), end: nameOf(end) };
}

type Numbers = (index: number) => object;

const messageOf = (text: string): object => ({
  type: "message",
  id: "msg_1",
  content: [{ type: "output_text", text }],
});
const completedOf = (...output: readonly object[]): object => ({
  type: "response.completed",
  response: { status: "completed", output },
});

/** Opening, one delta for each piece, and the end, with `numbers`. */
function streamOf(pieces: readonly string[], end: readonly object[], numbers: Numbers): readonly object[] {
  const place = { output_index: 0, item_id: "msg_1" };
  return [
    { type: "response.created", response: { status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: messageOf("") },
    ...pieces.map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
    ...end,
  ].map((event, index) => ({ ...event, ...numbers(index) }));
}

const numbered = (sequence_number: number): object => ({ sequence_number });
const NUMBERS: Readonly<Record<string, Numbers>> = {
  "as they should be": numbered,
  "that are absent": () => ({}),
  "that are all alike": () => numbered(0),
  "that are alike from the first piece on": (index) => numbered(Math.min(index, 2)),
  "that fall": (index) => numbered(1_000 - index),
  "with gaps": (index) => numbered(index * index),
  "that begin anew": (index) => numbered(index % 3),
  "for some events only": (index) => (index % 2 === 0 ? numbered(index) : {}),
  "that are text": (index) => ({ sequence_number: String(index) }),
};

describe("S1 the events of a response", () => {
  for (const [name, numbers] of Object.entries(NUMBERS)) {
    it(`with numbers ${name} give the whole answer`, () => {
      const pieces = ["ha ", "ha", ", the ", "letters ", "of ", "of ", "it", ...Array<string>(300).fill("na")];
      const text = pieces.join("");
      const whole = messageOf(text);
      const itemDone = { type: "response.output_item.done", output_index: 0, item: whole };
      for (const end of [[completedOf(whole)], [itemDone, completedOf(whole)], [itemDone, completedOf()]]) {
        assert.deepEqual(told(streamOf(pieces, end, numbers)), { text, calls: [], end: "endTurn" });
      }
    });
  }

  it("S1 of any text and any numbers give the whole answer, or one that is not complete", () => {
    const event = fc.record({ delta: fc.constantFrom("a", "b", "\n", " the"), number: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const text = events.map(({ delta }) => delta).join("");
        const stream = streamOf(
          events.map(({ delta }) => delta),
          [completedOf(messageOf(text))],
          (index) => numbered(events[index - 2]?.number ?? index + 10),
        );
        const { text: received, end } = told(stream);
        assert.equal(end === "endTurn", received === text, JSON.stringify({ received, text, end }));
      }),
    );
  });

  it("sent again, one or all, are counted once", () => {
    const events = streamOf(["so", " ", "is", " ", "it"], [completedOf(messageOf("so is it"))], numbered);
    const padded = events.map((event, index) => ({ ...event, obfuscation: "x".repeat(index) }));
    const expected: Told = { text: "so is it", calls: [], end: "endTurn" };
    const [ending] = events.slice(-1);
    assert.deepEqual(
      told(
        events
          .slice(0, -1)
          .flatMap((event) => [event, event])
          .concat(ending ?? []),
      ),
      expected,
    );
    assert.deepEqual(told([...events.slice(0, 5), ...padded.slice(2, 5), ...events.slice(5)]), expected);
  });

  const call = { type: "function_call", call_id: "call_1", name: "now", arguments: '{"zone":"UTC"}' };
  const addedCall = { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } };
  const argumentsOf = (delta: string): object => ({
    type: "response.function_call_arguments.delta",
    output_index: 0,
    delta,
  });
  const cases: readonly (readonly [what: string, events: readonly object[], expected: Told])[] = [
    ["a text without its end", streamOf(["All"], [completedOf(messageOf("All of it."))], numbered), said("All of it.")],
    ["a text that is not streamed", [completedOf(messageOf("All."))], said("All.")],
    [
      "a text without its middle",
      streamOf(["All ", "it."], [completedOf(messageOf("All of it."))], numbered),
      {
        ...said("All it."),
        end: "badAnswer",
      },
    ],
    [
      "a text that the end only trims",
      streamOf(["\n\nAll. "], [completedOf(messageOf("All."))], numbered),
      said("\n\nAll. "),
    ],
    [
      "a text that the end shortens",
      streamOf(["All of it [1]."], [completedOf(messageOf("All of it."))], numbered),
      said("All of it [1]."),
    ],
    ["a text of which the end has nothing", streamOf(["All."], [completedOf()], numbered), said("All.")],
    [
      "the end of a text that the response has beside its items",
      streamOf(
        ["All"],
        [{ type: "response.completed", response: { output: [], output_text: "All of it." } }],
        numbered,
      ),
      said("All of it."),
    ],
    [
      "a second message",
      streamOf(["One."], [completedOf(messageOf("One."), messageOf("Two."))], numbered),
      said("One.Two."),
    ],
    ["a call", [completedOf(call)], calling(call.arguments)],
    [
      "a call without the end of its arguments",
      [addedCall, argumentsOf('{"zo'), completedOf(call)],
      calling(call.arguments),
    ],
    [
      "a call whose end writes its arguments anew",
      [addedCall, argumentsOf('{"zone": "UTC"}'), completedOf(call)],
      calling('{"zone": "UTC"}'),
    ],
    [
      "a call without the middle of its arguments",
      [addedCall, argumentsOf('{"UTC"}'), completedOf(call)],
      {
        ...calling('{"UTC"}'),
        end: "badAnswer",
      },
    ],
  ];
  it("have each call once, whatever ids the whole response gives them", () => {
    const [one, two] = [call, { ...call, arguments: '{"zone":"Asia/Tokyo"}' }];
    const streamed = [one, two].map((item, output_index) => ({
      type: "response.output_item.done",
      output_index,
      item,
    }));
    const expected: Told = {
      text: "",
      calls: [
        ["now", one.arguments],
        ["now", two.arguments],
      ],
      end: "toolUse",
    };
    for (const ids of [
      ["call_1", "call_1"],
      ["x", "y"],
      ["", ""],
    ]) {
      const whole = [one, two].map((item, index) => ({ ...item, call_id: ids[index] }));
      assert.deepEqual(told([...streamed, completedOf(...whole)]), expected);
    }
  });

  for (const [what, events, expected] of cases) {
    it(`lack ${what}: the whole response tells`, () => {
      assert.deepEqual(told(events), expected);
    });
  }

  it("that end at the limit take the rest from the whole response", () => {
    const response = {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [messageOf("All of")],
    };
    const events = streamOf(["All"], [{ type: "response.incomplete", response }], numbered);
    assert.deepEqual(told(events), { text: "All of", calls: [], end: "maxTokens" });
  });
});

function said(text: string): Told {
  return { text, calls: [], end: "endTurn" };
}

function calling(json: string): Told {
  return { text: "", calls: [["now", json]], end: "toolUse" };
}
