import fc from "fast-check";
import assert from "node:assert/strict";
import { isMathTag, type MathNode } from "../../../../src/webview/answer/math/mathTree.ts";
import { readTex } from "../../../../src/webview/answer/math/readTex.ts";

/** Short form of a formula: leaves as their text, elements as name(…), rows with one child as that child. */
const short = ({ tag, content }: MathNode): string => {
  if (typeof content === "string") return content;
  if (tag === "mspace") return "␣";
  const inside = content.map(short).filter((text) => text !== "");
  return tag === "mrow" && inside.length === 1 ? inside.join("") : `${tag.slice(1)}(${inside.join(" ")})`;
};
const read = (tex: string, display = false): string | null => readTex(tex, display)?.map(short).join(" ") ?? null;
const all = (nodes: readonly MathNode[]): readonly MathNode[] =>
  nodes.flatMap((node) => [node, ...(typeof node.content === "string" ? [] : all(node.content))]);

describe("readTex", () => {
  const cases: Readonly<Record<string, string>> = {
    "E = mc^2": "row(E = m sup(c 2))",
    "x_i^{n+1}": "subsup(x i row(n + 1))",
    "\\sqrt[3]{y+1}": "root(row(y + 1) 3)",
    "\\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}":
      "row({ table(tr(td(1) td(row(x > 0))) tr(td(0) td(otherwise))))",
    "\\mathbb{R}^n": "sup(ℝ n)",
    "\\boxed{c}": "c",
  };
  for (const [tex, expected] of Object.entries(cases)) {
    it(`reads ${tex}`, () => {
      assert.equal(read(tex)?.normalize(), expected);
    });
  }

  it("puts limits below and above in a display formula", () => {
    assert.deepEqual(
      [read("\\sum_{i=1}^n i"), read("\\sum_{i=1}^n i", true)],
      ["row(subsup(∑ row(i = 1) n) i)", "row(underover(∑ row(i = 1) n) i)"],
    );
  });

  it("maps boxes and strikes to the page's classes and drops colours and offsets", () => {
    const passed = (tex: string): readonly string[] => [
      ...new Set(all(readTex(tex, false) ?? []).flatMap(({ attributes }) => Object.values(attributes))),
    ];
    assert.deepEqual(
      Object.fromEntries(
        [
          "\\boxed{c}",
          "\\cancel{x}",
          "\\color{red}x",
          "\\colorbox{red}{x}",
          "\\hspace{-50em}x",
          "\\raisebox{40em}{x}",
        ].map((tex) => [tex, passed(tex)]),
      ),
      {
        "\\boxed{c}": ["math-boxed", "true", "0"],
        "\\cancel{x}": ["math-struck-up"],
        "\\color{red}x": [],
        "\\colorbox{red}{x}": [],
        "\\hspace{-50em}x": [],
        "\\raisebox{40em}{x}": ["false", "0"],
      },
    );
  });

  for (const tex of [
    "x^{",
    "a}",
    "\\left( a",
    "\\right)",
    "\\begin{nothing}\\end{nothing}",
    "x_a_b",
    "\\frac{1}",
    "\\unknown{x}",
    "\\href{https://example.com}{x}",
    "\\includegraphics{https://example.com/a.png}",
    "\\class{button}{x}",
    "\\def\\a{\\a\\a}\\a",
    "a\u202eb",
    "a\u200bb",
    "a\u0000",
    '\\char"202E x',
    `z${"\u0300".repeat(12)}`,
  ]) {
    it(`rejects ${JSON.stringify(tex)}`, () => {
      assert.equal(readTex(tex, true), null);
    });
  }

  it("gives only allowed elements and ends within 2 s for any text", () => {
    const pieces = fc.constantFrom(
      ..."{ } [ ] & \\\\ ^ _ ' x 12 \\left( \\right) \\begin{cases} \\end{cases} \\frac \\sqrt \\text{ \\sum \\bf \\not \\displaystyle \\def\\a \\a \\hspace{9em} \\href".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
        const nodes = all(readTex(list.join(" "), true) ?? []);
        assert.ok(nodes.every(({ tag }) => isMathTag(tag)));
      }),
      { seed: 11, numRuns: 3000 },
    );
    const start = performance.now();
    for (const piece of [
      "{",
      "x^{",
      "\\frac",
      "\\sqrt[",
      "\\begin{cases}",
      "\\not",
      "x_",
      "\\text{",
      "&",
      "\\\\",
      "\\sqrt{x}",
    ]) {
      readTex(piece.repeat(4900 / piece.length), true);
    }
    const spentMs = performance.now() - start;
    assert.ok(spentMs < 2000, `${String(Math.round(spentMs))} ms`);
  }).timeout(20_000);
});
