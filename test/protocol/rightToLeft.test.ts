/** Right-to-left words outside of prose stay in the order in which they were written. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { directionRuns, isolated } from "../../src/protocol/rightToLeft.ts";
import { assertLinearTime } from "../support/linearTime.ts";

/** The text with each isolated run in braces. */
const marked = (text: string): string =>
  directionRuns(text)
    .map((run) => (run.isRightToLeft ? `{${run.text}}` : run.text))
    .join("");

describe("E:directions runs of right-to-left words", () => {
  for (const [text, expected] of [
    ["mv a b", "mv a b"],
    ["", ""],
    ['mv "מקור" "יעד"', 'mv "{מקור}" "{יעד}"'],
    ["mv מקור יעד", "mv {מקור} {יעד}"],
    ["mv 'מקור ישן' יעד", "mv '{מקור ישן}' {יעד}"],
    ['foo("אב", 3, "גד")', 'foo("{אב}", 3, "{גד}")'],
    ['  "אב", 3, "גד",', '  "{אב}", 3, "{גד}",'],
    ["(אב) (גד)", "({אב}) ({גד})"],
    ['git commit -m "תיקון באג, חמור 3"', 'git commit -m "{תיקון באג, חמור} 3"'],
    ["// שלום עולם", "// {שלום עולם}"],
    ["a/מקור/יעד.txt", "a/{מקור}/{יעד}.txt"],
    ["it's מקור יעד isn't", "it's {מקור} {יעד} isn't"],
    ["echo \\' מקור יעד \\'", "echo \\' {מקור} {יעד} \\'"],
    ["echo 'a\\' מקור יעד 'b'", "echo 'a\\' {מקור} {יעד} 'b'"],
    ['echo " מקור יעד', 'echo " {מקור} {יעד}'],
    ['"מקור" יעד אחר "x"', '"{מקור}" {יעד} {אחר} "x"'],
    ["מקור\nיעד x", "{מקור}\n{יעד} x"],
    ["می‌خواهم x", "{می‌خواهم} x"],
    ["rm مَلَف ملف", "rm {مَلَف} {ملف}"],
  ] as const) {
    it(`E:directions of ${JSON.stringify(text)}`, () => {
      assert.equal(marked(text), expected);
    });
  }
  it("E:directions of a part of a line are those of arguments", () => {
    assert.deepEqual(directionRuns("מקור יעד", true).length, 3);
  });
  it("E:directions are isolated by characters in plain text", () => {
    assert.equal(isolated("mv מקור יעד"), "mv \u2068מקור\u2069 \u2068יעד\u2069");
    assert.equal(isolated("mv a b"), "mv a b");
  });
  it("E:directions keep every character of any text, and never join two arguments", () => {
    const part = fc.constantFrom("א", "בג", "ש", " ", '"', "'", "`", "\\", "a", "1", ",", "\n", "/");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        const runs = directionRuns(text);
        assert.equal(runs.map((run) => run.text).join(""), text);
        for (const run of runs) if (run.isRightToLeft) assert.doesNotMatch(run.text, /[\na]/);
      }),
      { seed: 11, numRuns: 2_000 },
    );
  });
  it("E:directions take time in proportion to the text", () => {
    for (const unit of ['אב "גד" ', "\"א' ", "א ", "\\"]) {
      assertLinearTime((text) => void directionRuns(text), { unit, longestUnits: 400_000 });
    }
  });
});
