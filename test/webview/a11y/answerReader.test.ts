import assert from "node:assert/strict";
import fc from "fast-check";
import { AnswerReader } from "../../../src/webview/a11y/answerReader.ts";
import { assertLinearTime } from "../../support/linearTime.ts";

/** What is read after each piece, and at the end. */
function readIn(pieces: readonly string[]): readonly string[] {
  const reader = new AnswerReader();
  let text = "";
  const said = pieces.map((piece) => reader.grow((text += piece), piece));
  return [...said, reader.finish(text)].filter((words) => words !== "");
}

describe("AnswerReader", () => {
  const rows: readonly (readonly [title: string, pieces: readonly string[], said: readonly string[]])[] = [
    [
      "a sentence when it is finished",
      ["The qu", "eue is emp", "ty. It ", "stays"],
      ["The queue is empty.", "It stays"],
    ],
    ["no end in a number or a file's name", ["Pi is 3.14 in a.ts", ", yes! So"], ["Pi is 3.14 in a.ts, yes!", "So"]],
    ["a Chinese sentence without a blank", ["队列是空的。", "它会保持"], ["队列是空的。", "它会保持"]],
    ["bold words when their end is there", ["**It is. So", "** be it. "], ["It is. So be it."]],
    [
      "a heading and a link by their words",
      ["## Plan\n\nSee [the guide](https://a.example/x?y=1). Then"],
      ["Plan See the guide.", "Then"],
    ],
    ["an address by its host", ["Open https://a.example/path/to?x=1 now. "], ["Open link to a.example now."]],
    [
      "items with their state",
      ["- [x] done task\n- [ ] open one\n- \\*star\\*\n\n"],
      ["done: done task not done: open one", "*star*"],
    ],
    ["numbers of items", ["3. three\n4. four\n\nEnd"], ["3. three", "4. four End"]],
    ["struck words as they are seen", ["~~old~~ new. "], ["old new."]],
    [
      "code by its language and length",
      ["```ts\nlet a = 1;\nlet b;\n", "```\n", "\nDone."],
      ["Code, ts, 2 lines.", "Done."],
    ],
    ["a formula as it is written", ["$$x^2$$\n\nDone."], ["x^2 Done."]],
    ["a quotation", ["> Keep it.\n\nWell."], ["Keep it.", "Well."]],
    [
      "a table by its rows",
      ["| Name | Size |\n| :-- | --: |\n| a.ts | 3 |\n", "| b.ts | 14 |\n\nDone."],
      ["Table, 2 columns. Name: a.ts, Size: 3.", "Name: b.ts, Size: 14.", "Done."],
    ],
    ["no ruler", ["One.\n\n---\n\nTwo."], ["One.", "Two."]],
  ];
  for (const [title, pieces, said] of rows)
    it(`E:read-out reads ${title}`, () => {
      assert.deepEqual(readIn(pieces), said);
    });

  it("E:read-out reads a fence of 120 lines as one message", () => {
    const lines = Array.from({ length: 120 }, (_, index) => `let value${String(index)} = ${String(index)};\n`);
    assert.deepEqual(readIn(["```ts\n", ...lines, "```\n"]), ["Code, ts, 120 lines."]);
  });

  it("E:read-out reads the same words however the answer arrives", () => {
    const parts = fc.array(
      fc.constantFrom(
        "One. ",
        "Two goes on",
        " and ends!\n",
        "\n",
        "- item\n",
        "**bold.** ",
        "`a.b`. ",
        "```\nx\n```\n\n",
        "3.5 ",
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(parts, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (texts, sizes) => {
        const text = texts.join("");
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        assert.equal(readIn(pieces).join(" "), readIn([text]).join(" "));
      }),
      { numRuns: 500 },
    );
  });

  it("E:read-out leaves what nobody would listen to for the editor, and says so once", () => {
    const pieces = Array.from({ length: 40 }, () => "One more. ".repeat(100));
    const said = readIn(pieces);
    assert.deepEqual(
      [said.length, said.at(-1)],
      [31, "The answer goes on. “Forge: Show Answer as Text” opens all of it."],
    );
  });

  it("takes time in proportion to the text", () => {
    for (const unit of ["One. ", "[a](b. ", "- x\n", "a. ".repeat(3)])
      assertLinearTime((text) => void readIn([text]), { unit, behind: ". ", longestUnits: 5_000 });
  });
});
