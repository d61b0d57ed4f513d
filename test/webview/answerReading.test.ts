import fc from "fast-check";
import assert from "node:assert/strict";
import { AnswerReading } from "../../src/webview/markdown/answerReading.ts";
import { MarkdownBlocks } from "../../src/webview/markdown/markdownBlocks.ts";

const prose = Array.from({ length: 700 }, (_, index) => `Paragraph **${String(index)}** with some words.\n\n`).join("");
const list = "- one item and another\n".repeat(2_000);

const realNow = performance.now.bind(performance);

/** Reads on a clock on which so much goes by each time that it is looked at. */
function readingOn(ms: number): AnswerReading {
  let nowMs = 0;
  performance.now = () => (nowMs += ms);
  return new AnswerReading();
}

describe("AnswerReading", () => {
  afterEach(() => {
    performance.now = realNow;
  });

  for (const [tookMs, steps] of [
    [0, [true]],
    [21, [false, true]],
  ] as const) {
    it(`gives a short answer in step ${String(steps.length)} where each look at the clock is ${String(tookMs)} ms later`, () => {
      const reading = readingOn(tookMs);
      const words = new MarkdownBlocks().update("Some *words*.");
      for (const isAll of steps) {
        assert.equal(reading.blocks, null);
        assert.equal(reading.step("Some *words*."), isAll);
      }
      assert.deepEqual(reading.blocks, words);
    });
  }

  it("gives nothing of a long one before all of it was read", () => {
    const reading = readingOn(0);
    let steps = 1;
    for (; !reading.step(prose); steps++) assert.equal(reading.blocks, null);
    assert.ok(steps >= Math.ceil(prose.length / 16_000), String(steps));
    assert.deepEqual(reading.blocks, new MarkdownBlocks().update(prose));
  });

  it("comes to the blocks of the last text, however it grew between the steps", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(prose, list),
        fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 12 }),
        (whole, pieces) => {
          const reading = readingOn(0);
          let text = "";
          for (const length of pieces) {
            text = whole.slice(0, text.length + length);
            if (reading.step(text)) assert.deepEqual(reading.blocks, new MarkdownBlocks().update(text));
          }
          let steps = 0;
          while (!reading.step(text)) assert.ok(++steps < 20);
          assert.deepEqual(reading.blocks, new MarkdownBlocks().update(text));
        },
      ),
      { numRuns: 25 },
    );
  });
});
