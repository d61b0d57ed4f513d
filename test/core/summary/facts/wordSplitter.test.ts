import assert from "node:assert/strict";
import fc from "fast-check";
import { WordSplitter } from "../../../../src/core/summary/facts/wordSplitter.ts";

const PLAIN = /^[A-Z]?[a-z\u0080-\u2025\u2027-\uffff]*[.:…]*$/;

describe("WordSplitter", () => {
  const splitter = new WordSplitter(",;()");
  const separators = /[\s,;()]+/;

  const cases: readonly { readonly text: string; readonly words: readonly string[] }[] = [
    { text: "The parser reads tokens.", words: [] },
    { text: "see src/db/pool.ts, readFile() and E_CONN: all of it", words: ["src/db/pool.ts", "readFile", "E_CONN:"] },
    { text: "the Dockerfile. and the profile", words: ["Dockerfile."] },
    { text: "Größe… schön über", words: [] },
    { text: "v2 A AB aB", words: ["v2", "AB", "aB"] },
    { text: "", words: [] },
  ];
  for (const { text, words } of cases) {
    it(`finds ${String(words.length)} words that are not plain in "${text}"`, () => {
      assert.deepEqual(splitter.wordsNotPlain(text), words);
    });
  }

  it("separates at every blank that a regular expression knows", () => {
    const units = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit));
    assert.deepEqual(
      units.filter((unit) => !splitter.isOneWord(unit)),
      units.filter((unit) => separators.test(unit)),
    );
  });

  it("leaves out only plain words", () => {
    const units = fc.constantFrom(..."abz AZ09_-/.:,;()é…\n\u2003@$'".split(""));
    fc.assert(
      fc.property(fc.string({ unit: units, maxLength: 60 }), (text) => {
        const words = text.split(separators).filter((word) => word !== "");
        const expected = words.filter((word) => !PLAIN.test(word));
        assert.deepEqual(splitter.wordsNotPlain(text), expected);
      }),
    );
  });
});
