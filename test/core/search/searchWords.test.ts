import assert from "node:assert/strict";
import { searchWords } from "../../../src/core/search/searchWords.ts";

/** "word@start" of each word; a run in brackets. */
function wordsOf(text: string): readonly string[] {
  return [...searchWords(text)].map(({ folded, isRun, start }) => `${isRun ? `[${folded}]` : folded}@${start}`);
}

describe("searchWords", () => {
  for (const [what, text, words] of [
    ["words of ASCII", "  One, two_3;four\n", ["one@2", "two3@7", "four@13"]],
    ["no word", " -- => ", []],
    ["a word of underscores", "a __ b", ["a@0", "b@5"]],
    ["a word of ASCII up to another letter", "caf\u00e9 naive\u0308x \u00fcber", ["cafe@0", "naivex@5", "uber@13"]],
    ["marks that are no letters", "don\u2019t\u2014stop \u2026 \u{1f600}ok", ["don@0", "t@4", "stop@6", "ok@15"]],
    ["a run between words", "abc\u6f22\u5b57def \u5c71", ["abc@0", "[\u6f22\u5b57]@3", "def@5", "[\u5c71]@9"]],
    ["letters beyond 16 bits", "x\u{1d4b3}y \u{20000}z", ["xxy@0", "[\u{20000}]@5", "z@7"]],
    ["halves of characters", "a\ud835b\udcb3c", ["a@0", "b@2", "c@4"]],
    ["other letters alone at the end", "end \u2026\u2026", ["end@0"]],
  ] as const) {
    it(`reads ${what}`, () => {
      assert.deepEqual(wordsOf(text), words);
    });
  }
});
