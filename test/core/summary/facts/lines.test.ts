import assert from "node:assert/strict";
import { sentencesOf } from "../../../../src/core/summary/facts/lines.ts";

describe("sentencesOf", () => {
  const check = (title: string, text: string, expected: readonly string[]): void => {
    it(title, () => {
      assert.deepEqual(sentencesOf(text), expected);
    });
  };
  check("splits at punctuation that ends a sentence", 'Ship it. Is it "done"? 可以。好', [
    "Ship it.",
    'Is it "done"?',
    "可以。",
    "好",
  ]);
  check("does not split at an abbreviation or inside a number", "Use e.g. 3.5 of it", ["Use e.g. 3.5 of it"]);
  check("splits after an emoji that ends a sentence", "Love it 😍 No tabs please ❤️ Also, how long?", [
    "Love it 😍",
    "No tabs please ❤️",
    "Also, how long?",
  ]);
  check("does not split after an emoji that replaces a word", "the 👍🏽 button 👨‍👩‍👧 and so on", [
    "the 👍🏽 button 👨‍👩‍👧 and so on",
  ]);
  check("does not split at digits and signs", "# 3 © Acme * 2", ["3 © Acme * 2"]);
});
