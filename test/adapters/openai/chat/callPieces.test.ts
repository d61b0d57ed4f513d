/** Two calls in every dialect, cut anywhere. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { ChatDecoder } from "../../../../src/adapters/openai/chat/decode.ts";
import { modelId } from "../../../../src/core/ids.ts";
import { CALL_DIALECTS, type CutCall } from "../../../support/dialects/toolCalls.ts";
import { fold } from "../../../support/models/providerRequests.ts";

const value = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean(), fc.constant("}]{["));
const input = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.oneof(value, fc.array(value), fc.dictionary(fc.string(), value)),
  {
    minKeys: 1,
    noNullPrototype: true,
  },
);

/** The JSON of an input, cut at any places. */
const cutInput = fc.tuple(input, fc.array(fc.nat(), { maxLength: 6 })).map(([given, cuts]) => {
  const json = JSON.stringify(given);
  const ends = [...new Set(cuts.map((cut) => 1 + (cut % json.length)))].toSorted((one, other) => one - other);
  return [...ends, json.length].map((end, at) => json.slice(ends[at - 1] ?? 0, end)).filter((piece) => piece !== "");
});

const names = fc.constantFrom(["read_file", "list_files"], ["run", "run"], ["search_text", "edit_file"]);

describe("§4 two calls in pieces", () => {
  for (const [title, { write }] of Object.entries(CALL_DIALECTS)) {
    it(`are the same two calls: ${title}`, () => {
      fc.assert(
        fc.property(cutInput, cutInput, names, (one, other, [first = "", second = ""]) => {
          const calls: CutCall[] = [
            { id: "call_a", name: first, pieces: one },
            { id: "call_b", name: second, pieces: other },
          ];
          const decoder = new ChatDecoder({ provider: "openaiCompatible", model: modelId("any"), secrets: [] });
          const events = write(calls).flatMap((tool_calls) =>
            decoder.decode({ choices: [{ index: 0, delta: { tool_calls } }] }),
          );
          events.push(...decoder.decode({ choices: [{ delta: {}, finish_reason: "tool_calls" }] }), ...decoder.end());
          const { toolCalls } = fold(events);
          assert.deepEqual(
            toolCalls.map(({ name, inputJson }) => [name, inputJson]),
            calls.map(({ name, pieces }) => [name, pieces.join("")]),
          );
        }),
        { numRuns: 200 },
      );
    });
  }
});
