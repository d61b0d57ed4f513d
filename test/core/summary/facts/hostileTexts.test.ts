import assert from "node:assert/strict";
import { messageId } from "../../../../src/core/ids.ts";
import { directivesOf, userStatementsOf } from "../../../../src/core/summary/facts/directives.ts";
import { factsOfText } from "../../../../src/core/summary/facts/textFacts.ts";
import { piecesOf } from "../../../../src/core/summary/write/pieces.ts";

describe("S16 facts of hostile texts", () => {
  const LINES = [
    "a",
    "=",
    "Error: it failed",
    "npm run check",
    "src/a.ts took 12 ms",
    '"one two three four"',
    "v1.2.3",
  ];

  for (const origin of ["user", "assistant", "summary"] as const) {
    it(`of the ${origin}: equal lines state what each of them states`, () => {
      const once = LINES.flatMap((line) => factsOfText(line, origin));
      const many = factsOfText(`${LINES.join("\n")}\n`.repeat(1_000), origin);
      assert.equal(many.length, 1_000 * once.length);
      assert.deepEqual(
        new Set(many.map(({ kind, text }) => `${kind} ${text}`)),
        new Set(once.map(({ kind, text }) => `${kind} ${text}`)),
      );
    });
  }

  for (const line of ["a ", "。", "a. ", "`a` ", "x"]) {
    it(`a line of 48,000 characters of ${JSON.stringify(line)} is read in pieces`, () => {
      const text = line.repeat(48_000 / line.length);
      const pieces = piecesOf({ id: messageId(0), origin: "user", text });
      assert.ok(pieces.every((piece) => piece.text.length <= 8_100));
      assert.equal(
        pieces
          .map((piece) => piece.text.replaceAll("\n", ""))
          .join("")
          .trim(),
        text.trim(),
      );
    });
  }

  it("of thousands of scraps only sentences are read, and a directive among them is found", () => {
    const scraps = Array.from({ length: 5_000 }, (_, index) => `x${index} a: b`);
    const order = "Always run the tests before you answer.";
    const text = [...scraps.slice(0, 2_500), order, ...scraps.slice(2_500)].join("\n");
    assert.deepEqual([directivesOf(text), userStatementsOf(text)], [[order], []]);
  });
});
