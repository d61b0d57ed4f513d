import assert from "node:assert/strict";
import { formatTokenCount } from "../../../src/webview/words/formatTokenCount.ts";

describe("formatTokenCount", () => {
  const cases: readonly (readonly [tokens: number, figure: string])[] = [
    [0, "0"],
    [412, "412"],
    [999, "999"],
    [1000, "1k"],
    [2149, "2.1k"],
    [9949, "9.9k"],
    [9950, "10k"],
    [61_000, "61k"],
    [129_200, "129k"],
    [999_499, "999k"],
    [999_500, "1M"],
    [1_250_000, "1.3M"],
  ];
  for (const [tokens, figure] of cases) {
    it(`writes ${String(tokens)} as ${figure}`, () => {
      assert.equal(formatTokenCount(tokens), figure);
    });
  }
});
