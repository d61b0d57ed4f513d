import fc from "fast-check";
import assert from "node:assert/strict";
import type { MathNode } from "../../src/webview/math/mathTree.ts";
import { readTex } from "../../src/webview/math/readTex.ts";

/** A formula in short: leaves as their text, elements as name(…). */
const short = ({ tag, content }: MathNode): string =>
  typeof content === "string" ? content : tag === "mspace" ? "␣" : `${tag.slice(1)}(${content.map(short).join(" ")})`;
const read = (tex: string): string | null => readTex(tex)?.map(short).join(" ") ?? null;

describe("readTex", () => {
  const cases: Readonly<Record<string, string>> = {
    "E = mc^2": "E = m sup(c 2)",
    "x_i^{n+1}": "subsup(x i row(n + 1))",
    "f'(x) - f''": "sup(f ′) ( x ) − sup(f ′′)",
    "\\frac12 + \\dfrac{a}{b}": "frac(1 2) + style(frac(a b))",
    "\\sqrt x \\sqrt[3]{y+1}": "sqrt(x) root(row(y + 1) 3)",
    "\\int_0^1 x^2\\,dx": "subsup(∫ 0 1) sup(x 2) ␣ d x",
    "\\sum_{i=1}^n i": "underover(∑ row(i = 1) n) i",
    "\\lim_{x \\to 0} \\sin x": "under(lim row(x → 0)) sin x",
    "\\int\\limits_a f": "under(∫ a) f",
    "\\left( \\frac ab \\middle| c \\right.": "row(( frac(a b) | c )",
    "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}": "row(( table(tr(td(a) td(b)) tr(td(c) td(d))) ))",
    "\\begin{cases} 1 & x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}":
      "row({ table(tr(td(1) td(x > 0)) tr(td(0) td(otherwise))) )",
    "a &= b \\\\[4pt] &= c \\\\": "table(tr(td(a) td(= b)) tr(td() td(= c)))",
    "\\mathbb{R}^n \\mathcal{L} \\mathbf{x1}": "sup(ℝ n) ℒ row(𝐱 𝟏)",
    "\\mathrm{d}x \\mathrm{total} {\\rm kg} m": "d x total kg m",
    "\\operatorname{softmax}(z)": "softmax ( z )",
    "\\hat{x} \\overline{ab} \\underbrace{a}_{n}": "over(x ^) over(row(a b) ¯) under(under(a ⏟) n)",
    "\\binom{n}{k} \\pmod 5": "row(( frac(n k) )) row(␣ ( mod ␣ 5 ))",
    "a \\not= b, 50\\% \\{x\\}": "a ≠ b , 50 % { x }",
    "A \\xrightarrow[b]{f} B": "A underover(→ b f) B",
    "\\unknown{x} % a comment": "\\unknown x",
    "{}^2 x": "sup(row() 2) x",
  };
  for (const [tex, expected] of Object.entries(cases)) {
    it(`reads ${tex}`, () => {
      assert.equal(read(tex)?.normalize(), expected);
    });
  }

  for (const tex of [
    "x^{",
    "a}",
    "\\left( a",
    "\\right)",
    "\\begin{nothing}\\end{nothing}",
    "\\begin{cases} a",
    "x_a_b",
    "\\frac{1}",
  ]) {
    it(`leaves ${tex} as it is written`, () => {
      assert.equal(readTex(tex), null);
    });
  }

  it("leaves as it is written what hides something", () => {
    for (const hidden of ["a\u202eb", "a\u200bb", "a\u0000", "z\u0300\u0301"]) assert.equal(readTex(hidden), null);
  });

  it("ends soon, whatever the text", () => {
    const pieces = fc.constantFrom(
      ..."{ } [ ] & \\\\ ^ _ ' x 12 \\left( \\right) \\begin{cases} \\end{cases} \\frac \\sqrt \\text{ \\sum \\bf \\not \\displaystyle".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
        const nodes = readTex(list.join(" "));
        assert.ok(nodes === null || Array.isArray(nodes));
      }),
      { seed: 11, numRuns: 3000 },
    );
    const start = performance.now();
    for (const piece of ["{", "x^{", "\\frac", "\\sqrt[", "\\begin{cases}", "\\not", "x_", "\\text{", "&", "\\\\"]) {
      readTex(piece.repeat(4900 / piece.length));
    }
    const spentMs = performance.now() - start;
    assert.ok(spentMs < 1000, `${String(Math.round(spentMs))} ms`);
  }).timeout(20_000);
});
