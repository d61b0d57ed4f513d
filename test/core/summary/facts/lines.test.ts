import assert from "node:assert/strict";
import { sentencesOf } from "../../../../src/core/summary/facts/lines.ts";

describe("sentencesOf", () => {
  const check = (title: string, text: string, expected: readonly string[]): void => {
    it(title, () => {
      assert.deepEqual(sentencesOf(text), expected);
    });
  };
  check("ends them at what ends sentences", 'Ship it. Is it "done"? 可以。好', [
    "Ship it.",
    'Is it "done"?',
    "可以。",
    "好",
  ]);
  check("ends none at an abbreviation or in a number", "Use e.g. 3.5 of it", ["Use e.g. 3.5 of it"]);
  check("ends them at an emoji as people do", "Love it 😍 No tabs please ❤️ Also, how long?", [
    "Love it 😍",
    "No tabs please ❤️",
    "Also, how long?",
  ]);
  check("goes on behind an emoji that stands for a word", "the 👍🏽 button 👨‍👩‍👧 and so on", ["the 👍🏽 button 👨‍👩‍👧 and so on"]);
  check("ends none at digits and signs", "# 3 © Acme * 2", ["3 © Acme * 2"]);
});
