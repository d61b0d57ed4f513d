import assert from "node:assert/strict";
import fc from "fast-check";
import { wellFormed, wellFormedJson } from "../../src/core/wellFormed.ts";

const units = fc
  .string({ unit: "binary" })
  .chain((text) =>
    fc
      .array(fc.constantFrom("\ud83d", "\ude00", "\\", "u", '"', "\\ud83d", "a", "\0"), { maxLength: 8 })
      .map((more) => text + more.join("")),
  );

describe("wellFormed", () => {
  it("§1 replaces lone surrogates in all strings and keys of plain data, and nothing else", () => {
    const given = { "a\ud83d": ["x\ude00", 1, null, true, { b: "😀" }], c: "\ud83d😀" };
    assert.deepEqual(wellFormed(given), { "a\ufffd": ["x\ufffd", 1, null, true, { b: "😀" }], c: "\ufffd😀" });
    const fine = { a: ["😀", Number.NaN] };
    assert.equal(wellFormed(fine), fine);
  });

  for (const [json, expected] of [
    ['{"a":"\\ud83d"}', '{"a":"\ufffd"}'],
    ['{"a":"\\ud83d\\ude00"}', '{"a":"\\ud83d\\ude00"}'],
    ['{"a":"\\ude00\\ud83d\\ude00"}', '{"a":"\ufffd\\ud83d\\ude00"}'],
    ['{"a":"\\uDE00\\ude00"}', '{"a":"\ufffd\ufffd"}'],
    ['{"a":"\\\\ud83d"}', '{"a":"\\\\ud83d"}'],
    ['{"a":"\ud83d"}', '{"a":"\ufffd"}'],
    ['{"a":"a\\u0000b"}', '{"a":"a\ufffdb"}'],
    ["{not json \\ud83d", "{not json \ufffd"],
  ] as const) {
    it(`§1 replaces escaped lone surrogates in JSON: ${JSON.stringify(json)}`, () => {
      assert.equal(wellFormedJson(json), expected);
    });
  }

  it("§1 makes any JSON parse to well-formed text, and leaves well-formed text unchanged", () => {
    fc.assert(
      fc.property(units, (text) => {
        const right = text.toWellFormed().replaceAll("\0", "\ufffd");
        for (const json of [JSON.stringify({ text }), escapeAll(text)]) {
          const parsed = JSON.parse(wellFormedJson(json)) as { readonly text: string };
          assert.equal(parsed.text, right);
        }
        assert.equal(wellFormed(text), right);
      }),
    );
  });
});

/** JSON with every UTF-16 unit escaped. */
function escapeAll(text: string): string {
  const escapes = Array.from({ length: text.length }, (_, index) => {
    return `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`;
  });
  return `{"text":"${escapes.join("")}"}`;
}
