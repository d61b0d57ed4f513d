import assert from "node:assert/strict";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";
import type { Formula, Inline } from "../../../../src/webview/answer/markdown/markdownTree.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";

const formula = (tex: string, source: string, display = false): Formula => ({ kind: "formula", tex, source, display });
const shown = (markdown: string): readonly unknown[] =>
  new MarkdownBlocks().update(markdown).map((block) => (block.kind === "paragraph" ? inlinesOf(block.inlines) : block));
const inlinesOf = (inlines: readonly Inline[]): readonly unknown[] =>
  inlines.map((inline) => (inline.kind === "text" ? inline.text : inline));

describe("formulas in Markdown", () => {
  it("are found within a line with TeX and LaTeX delimiters, and keep their source unchanged", () => {
    assert.deepEqual(shown("So $a_1 * b_2$ and \\(x_1\\), or $$y$$."), [
      [
        "So ",
        formula("a_1 * b_2", "$a_1 * b_2$"),
        " and ",
        formula("x_1", "\\(x_1\\)"),
        ", or ",
        formula("y", "$$y$$", true),
        ".",
      ],
    ]);
  });

  it("are found on their own lines, also directly below a line of text", () => {
    const source = "$$\n\\frac{a}{b} \\\\\nc\n$$";
    assert.deepEqual(shown(`Here:\n${source}\nand\n\n\\[ z \\].\n`), [
      ["Here:"],
      formula("\\frac{a}{b} \\\\\nc", source, true),
      ["and"],
      formula("z .", "\\[ z \\].", true),
    ]);
    assert.deepEqual(shown("```math\nq^2\n```"), [formula("q^2", "q^2", true)]);
  });

  for (const markdown of [
    "It costs $5 and $10.",
    "From $5–$10, or $5/$10, was ($7) is $8.",
    "US$5 and CA$6",
    "$HOME/$USER, $HOME and $PATH, ${a}${b}",
    "$('#x').on($)",
    "I have $20 in cash, you have 30$",
    "a $5 coffee plus tip$",
    "an empty $$ and $ $",
  ]) {
    it(`are not found in ${markdown}`, () => {
      assert.deepEqual(shown(markdown), [[markdown]]);
    });
  }

  it("are not found in code", () => {
    assert.deepEqual(shown("`$x$`"), [[{ kind: "code", text: "$x$" }]]);
  });

  it("are shown verbatim while they are incomplete", () => {
    assert.deepEqual(shown("So\n\n$$\n\\frac{1}"), [["So"], { kind: "verbatim", text: "$$\n\\frac{1}" }]);
    assert.deepEqual(shown("$$\na\n\nb"), [["$$\na"], ["b"]], "a blank line ends what was none");
  });

  it("are found in time linear in the number of blanks after them", () => {
    assertLinearTime((text) => shown(`$$x$$${text}\n\n`.repeat(6)), { unit: " ", behind: "a", longestUnits: 9_800 });
  });
});
