import fc from "fast-check";
import assert from "node:assert/strict";
import type { Block, Inline } from "../../src/webview/markdown/markdownTree.ts";
import { MarkdownBlocks } from "../../src/webview/markdown/markdownBlocks.ts";
import { wholeBlocks } from "../../src/webview/markdown/wholeBlocks.ts";

const whole = (text: string): readonly Block[] => new MarkdownBlocks().update(text);

describe("a line that is very long", () => {
  const sentences = [
    "Some words of a sentence, with **bold ones** and `code.of(it)`. ",
    "Is 5 * 3 more than *that*? ",
    "See [the page](https://a.example/x) or https://b.example/y and [ref] at once! ",
    "一二三。四五六！ ",
    "costs $5 and $a_1$; no end here ",
    "**never closed. And more ",
    "x".repeat(300) + " ",
  ];
  const lines = fc
    .array(fc.constantFrom(...sentences), { minLength: 60, maxLength: 400 })
    .map((list) => list.join("").trimEnd());
  const around = fc.constantFrom(
    "",
    "Before.\n\n",
    "- item\n\n",
    "a line\n",
    "[ref]: https://a.example/\n\n",
    "> quote\n",
  );
  const documents = fc
    .tuple(around, lines, fc.constantFrom("", "\n", "\n\nAfter.", "\n\n[ref]: https://c.example/\n\nend"), lines)
    .map(([before, line, between, other]) => `${before}${line}${between}${other}`);

  it("gives the same however it came", () => {
    fc.assert(
      fc.property(
        documents,
        fc.array(fc.integer({ min: 150, max: 900 }), { minLength: 1, maxLength: 5 }),
        (source, sizes) => {
          const growing = new MarkdownBlocks();
          for (let end = 0, turn = 0; end < source.length; turn++) {
            end = Math.min(source.length, end + (sizes[turn % sizes.length] ?? 1));
            const blocks = growing.update(source.slice(0, end));
            if (turn % 16 === 0) assert.deepEqual(blocks, whole(source.slice(0, end)));
          }
          assert.deepEqual(growing.update(source), whole(source));
        },
      ),
      { seed: 20_261_122, numRuns: 40 },
    );
  }).timeout(60_000);

  it("stays a paragraph with all that is in it, and is read in pieces", () => {
    const source = sentences.slice(0, 3).join("").repeat(500);
    const growing = new MarkdownBlocks();
    let before: readonly Block[] = [];
    let mostReadAnew = 0;
    for (let end = 40; end < source.length; end += 40) {
      const blocks = growing.update(source.slice(0, end));
      const readAnew = blocks.filter((block, index) => block !== before[index]).map(textLength);
      mostReadAnew = Math.max(mostReadAnew, ...readAnew);
      for (const [index, block] of blocks.entries()) {
        assert.equal(block.kind, "paragraph");
        if (index < blocks.length - 2) assert.equal(block, before[index]);
      }
      before = blocks;
    }
    assert.ok(before.length > 20, `${String(before.length)} pieces`);
    const kinds = before.flatMap((block) => (block.kind === "paragraph" ? block.inlines.map(({ kind }) => kind) : []));
    const count = (kind: Inline["kind"]) => kinds.filter((each) => each === kind).length;
    assert.ok(count("strong") >= 498 && count("link") >= 996 && count("emphasis") >= 498, String(kinds.length));
    assert.ok(mostReadAnew > 1_000 && mostReadAnew <= 4_000, `${String(mostReadAnew)} characters at once`);
  });

  it("is one block, its pieces together, up to what a frame can bear", () => {
    const line = (sentence: string, times: number) => sentence.repeat(times).trimEnd();
    const blocks = whole(`Before.\n\n${line("Some words. ", 2000)}\n\nAfter.`);
    const wholes = wholeBlocks(blocks);
    assert.deepEqual(wholes.flat(), blocks);
    assert.deepEqual(
      wholes.map((pieces) => pieces.length > 1),
      [false, true, false],
    );
    const endless = wholeBlocks(whole(line("Some words. ", 30_000)));
    assert.deepEqual(
      endless.map((pieces) => [pieces.length, pieces[0].kind]),
      [
        [54, "paragraph"],
        [1, "plain"],
      ],
    );
    const dense = whole(line("Some `a` and *b*, or `c` and *d*. ", 4_000)).map(({ kind }) => kind);
    assert.deepEqual(dense, [...Array.from({ length: 12 }, () => "paragraph"), "plain"]);
  });

  it("looks like text also where it is nothing that can be read in pieces", () => {
    assert.deepEqual(whole("word".repeat(10_000)), [{ kind: "plain", text: "word".repeat(10_000) }]);
  });
});

/** How much of a paragraph is shown, in UTF-16 units. */
function textLength(block: Block): number {
  const lengthOf = (inlines: readonly Inline[]): number =>
    inlines.reduce((sum, each) => {
      if ("inlines" in each) return sum + lengthOf(each.inlines);
      return sum + ("text" in each ? each.text.length : 0);
    }, 0);
  if (block.kind !== "paragraph") throw new Error(block.kind);
  return lengthOf(block.inlines);
}
