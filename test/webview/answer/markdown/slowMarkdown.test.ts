/** Texts for which the Markdown lexer alone would need quadratic time or more. */
import assert from "node:assert/strict";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";

const read = (text: string) => new MarkdownBlocks().update(text);

describe("adversarial Markdown", () => {
  for (const unit of [
    ">```\n?\n",
    "1. \\(\n$",
    "1. |(a|-|\n",
    "--\n",
    "\\[\n_",
    "\\```\n'-",
    "[a]: b\n1. [",
    "- *\n\n",
    "_a_b",
    "<!-- ",
    "`` ` ",
  ]) {
    it(`is parsed in linear time or shown as plain text: ${JSON.stringify(unit)}`, () => {
      assertLinearTime(read, { unit, longestUnits: 59_000 });
    });
  }
  it("is parsed in linear time when it has many blanks", () => {
    assertLinearTime((text) => read(`a${text}`), { unit: "\t", longestUnits: 59_000 });
  });
  it("is parsed in linear time when it has many different definitions", () => {
    const definitions = Array.from(
      { length: 8_000 },
      (_, label) => `[${String(label)}]: https://a.example/\n\nword\n\n`,
    );
    assertLinearTime(read, { unit: definitions.join(""), longestUnits: 280_000 });
  });

  it("stays plain text while it grows, and another text is parsed again", () => {
    const blocks = new MarkdownBlocks();
    const hostile = `# Head\n\nSome *words*.\n\n${">```\n?\n".repeat(8_000)}`;
    const shown = blocks.update(hostile);
    const last = shown.at(-1);
    assert.ok(last?.kind === "plain");
    assert.equal(hostile.endsWith(last.text), true);
    assert.equal(blocks.update(`${hostile}*more*`).at(-1)?.kind, "plain");
    assert.deepEqual(blocks.update("Some *words*."), read("Some *words*."));
  });

  it("gives the same blocks each time", () => {
    const hostile = `Some *words*.\n\n${"1. \\(\n$".repeat(2_000)}\n\nThe *end*.`;
    for (let turn = 0; turn < 3; turn++) assert.deepEqual(read(hostile), read(hostile));
  });
});
