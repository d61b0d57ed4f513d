/** Runs of blanks in what a reader is asked to agree to are shown as their count. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { reviewParts } from "../../../src/webview/answer/reviewParts.ts";

/** The parts as they are read, counts in brackets. */
const read = (text: string): string =>
  reviewParts(text)
    .map((part) => (part.kind === "text" ? part.text : `[${String(part.count)} ${part.kind}]`))
    .join("");

describe("reviewParts", () => {
  for (const [title, text, expected] of [
    ["a command", "git status && ls", "git status && ls"],
    ["two empty lines", "a\n\n\nb", "a\n\n\nb"],
    ["60 line ends", `a${"\n".repeat(60)}b`, "a\n[59 lines]\nb"],
    ["line ends with blanks of all kinds between", `a${" \t\u00a0\n\r".repeat(9)}  b`, "a\n[8 lines]\n\r  b"],
    ["usual indentation", `if\n${" ".repeat(40)}x`, `if\n${" ".repeat(40)}x`],
    ["61 blanks", `a${" ".repeat(61)}b`, "a[61 blanks]b"],
    ["tabs", `a${"\t".repeat(70)}b`, "a[70 blanks]b"],
    ["three no-break spaces", "a\u00a0\u00a0\u00a0b", "a\u00a0\u00a0\u00a0b"],
    ["four no-break spaces", "a\u00a0\u00a0\u00a0\u00a0b", "a[4 blanks]b"],
    ["spaces of several widths", "a\u2000\u2001\u2002\u2003\u3000b", "a[5 blanks]b"],
    ["empty braille", `a${"\u2800".repeat(9)}b`, "a[9 blanks]b"],
    ["blanks after empty lines", `a${"\n".repeat(9)}${" ".repeat(99)}b`, "a\n[8 lines]\n[99 blanks]b"],
    ["a run at the end", `a${"\n".repeat(9)}`, "a\n[8 lines]\n"],
    ["a run at the beginning", `${" ".repeat(99)}b`, "[99 blanks]b"],
  ] as const) {
    it(`S7 reads ${title}`, () => {
      assert.equal(read(text), expected);
    });
  }
  it("S7 leaves nothing out but blanks", () => {
    const part = fc.constantFrom("a", "b", " ", "\n", "\t", "\u00a0", "\u3000", " ".repeat(70), "\n".repeat(9));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join("");
        const kept = reviewParts(text).flatMap((one) => (one.kind === "text" ? [one.text] : []));
        assert.equal(kept.join("").replaceAll(/\s/g, ""), text.replaceAll(/\s/g, ""));
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });
});
