import fc from "fast-check";
import assert from "node:assert/strict";
import { pieceLength, textPieces } from "../../../src/webview/answer/textPieces.ts";

describe("textPieces", () => {
  const texts = fc
    .array(fc.constantFrom("word ", "x".repeat(700), "\n", "\u{1f600}".repeat(333), "line\n".repeat(90)), {
      maxLength: 40,
    })
    .map((parts) => parts.join(""));

  it("drops only the line ends at which it splits, and splits no surrogate pair", () => {
    fc.assert(
      fc.property(texts, (text) => {
        let at = 0;
        let index = 0;
        for (const piece of textPieces(text)) {
          if (index++ > 0 && !text.startsWith(piece, at)) at++; // line end at the split
          assert.ok(text.startsWith(piece, at) && piece.length <= pieceLength && !/[\ud800-\udbff]$/.test(piece));
          at += piece.length;
        }
        assert.equal(at, text.length);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it("splits a growing text at the same places", () => {
    fc.assert(
      fc.property(texts, texts, (text, more) => {
        const before = textPieces(text).slice(0, -1);
        assert.deepEqual(textPieces(text + more).slice(0, before.length), before);
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  it("prefers line ends to spaces when it splits", () => {
    assert.deepEqual(
      textPieces(`${"a".repeat(10)}\n${"b".repeat(pieceLength)}`).map(({ length }) => length),
      [10, pieceLength],
    );
    assert.ok(
      textPieces("word and ".repeat(1_000))
        .slice(0, -1)
        .every((piece) => piece.endsWith(" ")),
    );
  });
});
