/** Characters that are hidden, alone or by their position. `plainlyShown` has the ones that are never hidden. */

import assert from "node:assert/strict";
import { codeOf, hiddenInCommand, hiddenInData, hiddenSequence } from "../../src/protocol/hiddenSequence.ts";
import { plainlyShown } from "../support/texts/hiddenSamples.ts";

/** The code points of the hidden characters in a text, in order. */
const hiddenIn = (text: string, pattern: RegExp): string =>
  Array.from(text.matchAll(new RegExp(pattern.source, "gu")), ([found]) => Array.from(found, codeOf).join(" ")).join(
    " ",
  );

const check = (title: string, text: string, codes: string): void => {
  it(title, () => {
    assert.equal(hiddenIn(text, hiddenSequence), codes);
    assert.equal(hiddenIn(text, hiddenInCommand), codes);
  });
};

describe("hidden characters", () => {
  describe("are found", () => {
    check("after each letter", "r\u{e0102}m\u{e0143}\ufe00 \ufe0fa\ufe0e", "U+E0102 U+E0143 U+FE00 U+FE0F U+FE0E");
    check("in alternating selectors and joiners", "ls\ufe0f\u200d\ufe0f\u200dx", "U+FE0F U+200D U+FE0F U+200D");
    check("in joiners between letters that do not join", "a\u200db\u200cя\u200d字", "U+200D U+200C U+200D");
    check("in a joiner next to only one emoji", "❤\ufe0f\u200da a\u200d👩", "U+200D U+200D");
    check("in a selector after a digit that is not a keycap", "12\ufe0f 0\ufe00", "U+FE0F U+FE00");
    check("in selectors for Chinese characters after an emoji", "❤\u{e0100}👩\ufe05", "U+E0100 U+FE05");
    check("in the second of two selectors", "❤\ufe0f\ufe0f 字\u{e0100}\u{e0101}", "U+FE0F U+E0101");
    check("in the selectors of more characters than a name contains", "字\u{e0100}".repeat(10), "U+E0100 U+E0100");
    check("in selectors and vowels of other scripts", "a\u180b\u180e \u17b4b\u17b5", "U+180B U+180E U+17B4 U+17B5");
    check("in tags of an invalid flag", "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}", "U+E0067 U+E0062 U+E007F");
    check(
      "in tags after those of a flag",
      "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0041}",
      "U+E0067 U+E0062 U+E0065 U+E006E U+E0067 U+E007F U+E0041",
    );
    check("in combining grapheme joiners", "a\u034fb\u034f\u034f", "U+034F U+034F U+034F");
  });

  it("are all invisible code points; in prose, all except soft hyphens and direction marks", () => {
    const unseen: string[] = [];
    // Beyond the first two planes, every 64th and the last ones of each plane.
    for (let point = 0; point <= 0x10ffff; point += point < 0x20000 || (point & 0xffff) >= 0xffc0 ? 1 : 64) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) continue;
      if (hiddenIn(`a${character}b`, hiddenSequence) === "") unseen.push(codeOf(character));
      assert.equal(hiddenIn(`a${character}b`, hiddenInCommand), codeOf(character));
    }
    assert.deepEqual(unseen, ["U+00AD", "U+061C", "U+200E", "U+200F"]);
  });

  it("do not include characters that scripts, symbols and emoji need", () => {
    for (const text of plainlyShown) assert.equal(hiddenIn(text, hiddenSequence), "", text);
  });

  it("do not include the end of an incomplete emoji", () => {
    for (const text of ["👩\u200d", "❤\ufe0f\u200d", "1\ufe0f"]) assert.equal(hiddenIn(text, hiddenSequence), "");
  });
});

describe("S13 the one table of what is hidden", () => {
  const levels = [hiddenSequence, hiddenInData, hiddenInCommand];
  /** Where a character between two letters is hidden: in prose, in data, in a command. */
  const hiddenAt = (character: string): readonly boolean[] =>
    levels.map((pattern) => new RegExp(pattern.source, "u").test(`a${character}b`));
  const every = [true, true, true];
  const NONE = [false, false, false];
  const COMMAND = [false, false, true];
  const ROWS: readonly (readonly [string, readonly string[], readonly boolean[]])[] = [
    ["separators of lines and paragraphs", ["\u2028", "\u2029"], every],
    ["noncharacters", ["\ufdd0", "\ufdef", "\ufffe", "\uffff", "\u{1fffe}", "\u{10ffff}"], every],
    ["C0", ["\0", "\u0007", "\b", "\u000b", "\f", "\u000e", "\u001b", "\u001f", "\u007f"], every],
    ["C1", ["\u0080", "\u0085", "\u009b", "\u009d", "\u009f"], every],
    ["tags and overrides", ["\u{e0041}", "\u202e", "\u2066", "\u200b", "\ufeff"], every],
    ["soft hyphens", ["\u00ad"], [false, true, true]],
    ["single direction marks", ["\u200e", "\u200f", "\u061c"], COMMAND],
    ["private use", ["\ue000", "\uf8ff", "\u{f0000}", "\u{10fffd}"], COMMAND],
    ["unassigned code points", ["\u0378", "\u{2fe0}"], COMMAND],
    ["halves of a pair", ["\ud800", "\udfff"], COMMAND],
    ["layout and letters", ["\t", "\n", "\r", " ", "é", "e\u0301", "字", "ש", "👩‍👩‍👧", "\u00a0"], NONE],
  ];
  for (const [title, characters, expected] of ROWS) {
    it(`S13 knows ${title}`, () => {
      assert.deepEqual(
        characters.map((character) => [codeOf(character), hiddenAt(character)]),
        characters.map((character) => [codeOf(character), expected]),
      );
    });
  }
  it("S13 hides each noncharacter and control, and nothing of a command in fewer places than of data", () => {
    const wrong: string[] = [];
    // Beyond the first two planes, every 64th and the last ones of each plane.
    for (let point = 0; point <= 0x10ffff; point += point < 0x20000 || (point & 0xffff) >= 0xffc0 ? 1 : 64) {
      const character = String.fromCodePoint(point);
      const isNone = (point & 0xfffe) === 0xfffe || (point >= 0xfdd0 && point <= 0xfdef);
      const isControl = /(?![\t\n\r])\p{Cc}/u.test(character);
      const [prose, data, command] = hiddenAt(character);
      if ((isNone || isControl) && prose !== true) wrong.push(codeOf(character));
      if ((prose === true && data !== true) || (data === true && command !== true)) wrong.push(codeOf(character));
    }
    assert.deepEqual(wrong, []);
  });
});
