/** Runs of backticks that begin no code, counted in linear time. */
import assert from "node:assert/strict";
import { Lexer } from "marked";
import { unmatchedTickRuns } from "../../../../src/webview/answer/markdown/lexMarkdown.ts";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";

/** All texts of these characters up to the length `longest` are compared. */
const signs = ["`", "a", "\\"];
const longest = 8;

/** The count by the lexer's own rule. */
function loneByRule(text: string): number {
  const found = [...text.matchAll(Lexer.rules.inline.gfm.anyPunctuationOutsideCode)];
  return found.filter(({ 0: whole }) => /^`+$/.test(whole)).length;
}

describe("unmatchedTickRuns", () => {
  it("counts the runs for which the lexer finds no end", () => {
    let texts = [""];
    for (let length = 1; length <= longest; length++) {
      texts = texts.flatMap((text) => signs.map((sign) => text + sign));
      for (const text of texts) assert.equal(unmatchedTickRuns(text), loneByRule(text), text);
    }
  });

  for (const unit of ["\\```\n'-", "`a`` ", "`a` ", "`\\", "``` ` "])
    it(`takes linear time for ${JSON.stringify(unit)}`, () => {
      assertLinearTime(unmatchedTickRuns, { unit, longestUnits: 400_000 });
    });

  it("keeps a paragraph with few unmatched runs formatted", () => {
    const text = "Some `code`, a lone tick ` in \\`text\\`, and *words* that go on.\n".repeat(100);
    assert.deepEqual(
      new MarkdownBlocks().update(text.trimEnd()).map(({ kind }) => kind),
      ["paragraph"],
    );
  });
});

describe("quotations", () => {
  it("are formatted when there are many", () => {
    const blocks = new MarkdownBlocks().update("> A *word* that was said.\n> And more.\n\nWhat I say.\n\n".repeat(500));
    assert.equal(blocks.filter(({ kind }) => kind === "quote").length, 500);
  });
});
