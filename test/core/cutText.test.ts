import assert from "node:assert/strict";
import fc from "fast-check";
import { beginningOf, endingOf, placeAfter, placeBefore, shorten } from "../../src/core/cutText.ts";

const FAMILY = "👨‍👩‍👧‍👦";

describe("cutText", () => {
  for (const [text, units, beginning, ending] of [
    ["", 3, "", ""],
    ["abc", 5, "abc", "abc"],
    ["abc", 0, "", ""],
    ["abc", -1, "", ""],
    ["a🚀b", 2, "a", "b"],
    ["a🚀b", 3, "a🚀", "🚀b"],
    ["x\r\ny", 2, "x", "y"],
    [`${FAMILY}${FAMILY}`, 12, FAMILY, FAMILY],
    [`${FAMILY}${FAMILY}`, 10, "", ""],
    ["🇩🇪🇫🇷🇯🇵", 6, "🇩🇪", "🇯🇵"],
    ["e\u0301e\u0301", 3, "e\u0301", "e\u0301"],
    ["नमस्ते", 4, "नम", "स्ते"],
    ["각각", 1, "각", "각"],
    ["\u1100\u1161\u11a8\u1100\u1161\u11a8", 4, "\u1100\u1161\u11a8", "\u1100\u1161\u11a8"],
  ] as const) {
    it(`§1 cuts between grapheme clusters: ${units} of ${JSON.stringify(text)}`, () => {
      assert.deepEqual([beginningOf(text, units), endingOf(text, units)], [beginning, ending]);
    });
  }

  it("§1 marks a shortened text", () => {
    assert.deepEqual([shorten("a🚀b", 2), shorten("a🚀b", 4)], ["a…", "a🚀b"]);
  });

  it("§1 cuts clusters with thousands of accents between code points", () => {
    const text = `e${"\u0301".repeat(5_000)}😀${"\u0301".repeat(5_000)}`;
    assert.deepEqual(
      [beginningOf(text, 5_002).length, beginningOf(text, 5_003).length, beginningOf(text, 10).length],
      [5_001, 5_001, 0],
    );
  });

  it("§1 splits no flag in a long row of flags", () => {
    const text = "🇩🇪".repeat(200);
    for (const at of [401, 402, 403, 404]) assert.equal(placeBefore(text, at), 400 + (at === 404 ? 4 : 0));
  });

  it("§1 finds the same boundaries as segmenting the whole text, for any text and position", () => {
    const character = fc.oneof(
      fc.constantFrom(
        FAMILY,
        "🇩🇪",
        "🇫",
        "\r\n",
        "\n",
        "e\u0301",
        "\u0301",
        "\u200d",
        "👍🏽",
        "क्",
        "षि",
        "\u1100",
        "\u1161",
        "한",
        "漢",
        "a",
      ),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 30 }), fc.nat(100), (characters, given) => {
        const text = characters.join("");
        const at = Math.min(given, text.length);
        const places = [...new Intl.Segmenter("en").segment(text)].map(({ index }) => index);
        places.push(text.length);
        const [before, after] = [placeBefore(text, at), placeAfter(text, at)];
        const longest = Math.max(0, ...places.slice(1).map((place, index) => place - (places[index] ?? 0)));
        if (longest <= 64) {
          assert.deepEqual(
            [before, after],
            [places.findLast((place) => place <= at), places.find((place) => place >= at)],
          );
        }
        assert.ok(text.slice(0, before).isWellFormed() || !text.isWellFormed());
      }),
    );
  });
});
