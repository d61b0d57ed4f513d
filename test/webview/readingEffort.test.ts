import assert from "node:assert/strict";
import { ReadingEffort } from "../../src/webview/readingEffort.ts";
import { blocksOfText, MarkdownBlocks } from "../../src/webview/markdown/markdownBlocks.ts";
import { assertLinearTime } from "../support/linearTime.ts";

/** Keeps the thread busy. */
function take(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

/** Reads in `steps` steps of `ms` each; how many were made, and what came of it. */
function read(effort: ReadingEffort, steps: number, ms: number): readonly [steps: number, read: string | null] {
  let made = 0;
  const done = effort.spend(() => {
    for (; made < steps; made++) {
      take(ms);
      effort.step();
    }
    return "read";
  });
  return [made, done];
}

describe("the effort of reading an answer", () => {
  it("ends what takes long step by step, and then reads nothing more", () => {
    const effort = new ReadingEffort().begin();
    const [made, done] = read(effort, 100, 2);
    assert.ok(done === null && made >= 12 && made <= 30, `${String(made)} steps`); // of 2 to 5 ms, in 60
    effort.begin();
    assert.deepEqual(read(effort, 1, 0), [0, null]);
  });

  it("is measured anew each time", () => {
    const effort = new ReadingEffort();
    for (let time = 0; time < 6; time++) assert.deepEqual(read(effort.begin(), 13, 1), [13, "read"]);
  });

  it("blames no text for a pause of the machine, nor hides a fault", () => {
    assert.deepEqual(read(new ReadingEffort().begin(), 12, 20), [12, "read"]);
    const fault = (): never => {
      throw new Error("a bug");
    };
    assert.throws(() => new ReadingEffort().begin().spend(fault), /a bug/);
  });
});

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
  ]) {
    it(`are read in a time that grows with their length, or shown as they are: ${JSON.stringify(unit)}`, () => {
      assertLinearTime(blocksOfText, { unit, longestUnits: 59_000 });
    });
  }
  it("are cut at no place that is looked for at each of their blanks", () => {
    assertLinearTime((text) => blocksOfText(`a${text}`), { unit: "\t", longestUnits: 59_000 });
  });

  it("are shown as they are while they go on, and read again when they are another text", () => {
    const blocks = new MarkdownBlocks();
    const hostile = `# Head\n\nSome *words*.\n\n${">```\n?\n".repeat(8_000)}`;
    const shown = blocks.update(hostile);
    const last = shown.at(-1);
    assert.ok(last?.kind === "plain");
    assert.equal(hostile.endsWith(last.text), true);
    assert.equal(blocks.update(`${hostile}*more*`).at(-1)?.kind, "plain");
    assert.deepEqual(blocks.update("Some *words*."), blocksOfText("Some *words*."));
  });
});
