/** Text that the Markdown lexer would read in a time that grows with the square of its length, or faster. */
import assert from "node:assert/strict";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";

const read = (text: string) => new MarkdownBlocks().update(text);

describe("answers that are written to be read slowly", () => {
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
    it(`are read in a time that grows with their length, or shown as they are: ${JSON.stringify(unit)}`, () => {
      assertLinearTime(read, { unit, longestUnits: 59_000 });
    });
  }
  it("are cut at no place that is looked for at each of their blanks", () => {
    assertLinearTime((text) => read(`a${text}`), { unit: "\t", longestUnits: 59_000 });
  });
  it("are read in a time that grows with their length where each definition is another", () => {
    const definitions = Array.from(
      { length: 8_000 },
      (_, label) => `[${String(label)}]: https://a.example/\n\nword\n\n`,
    );
    assertLinearTime(read, { unit: definitions.join(""), longestUnits: 280_000 });
  });

  it("are shown as they are while they go on, and read again when they are another text", () => {
    const blocks = new MarkdownBlocks();
    const hostile = `# Head\n\nSome *words*.\n\n${">```\n?\n".repeat(8_000)}`;
    const shown = blocks.update(hostile);
    const last = shown.at(-1);
    assert.ok(last?.kind === "plain");
    assert.equal(hostile.endsWith(last.text), true);
    assert.equal(blocks.update(`${hostile}*more*`).at(-1)?.kind, "plain");
    assert.deepEqual(blocks.update("Some *words*."), read("Some *words*."));
  });

  it("are shown in the same way each time", () => {
    const hostile = `Some *words*.\n\n${"1. \\(\n$".repeat(2_000)}\n\nThe *end*.`;
    for (let turn = 0; turn < 3; turn++) assert.deepEqual(read(hostile), read(hostile));
  });
});
