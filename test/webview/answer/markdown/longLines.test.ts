import fc from "fast-check";
import assert from "node:assert/strict";
import type { Block, Inline } from "../../../../src/webview/answer/markdown/markdownTree.ts";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";

const whole = (text: string): readonly Block[] => new MarkdownBlocks().update(text);

describe("a very long line", () => {
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

  it("gives the same blocks however it is split while streaming", () => {
    fc.assert(
      fc.property(
        documents,
        fc.array(fc.integer({ min: 300, max: 3_000 }), { minLength: 1, maxLength: 5 }),
        (source, sizes) => {
          const growing = new MarkdownBlocks();
          for (let end = 0, turn = 0; end < source.length; turn++) {
            end = Math.min(source.length, end + (sizes[turn % sizes.length] ?? 1));
            const blocks = growing.update(source.slice(0, end));
            if (turn % 4 === 0) assert.deepEqual(blocks, whole(source.slice(0, end)));
          }
          assert.deepEqual(growing.update(source), whole(source));
        },
      ),
      { seed: 20_261_122, numRuns: 12 },
    );
  }).timeout(60_000);

  it("becomes one paragraph with all its formatting", () => {
    const [block, ...others] = whole(sentences.slice(0, 3).join("").repeat(200));
    assert.ok(block?.kind === "paragraph" && others.length === 0);
    const count = (kind: Inline["kind"]) => block.inlines.filter((each) => each.kind === kind).length;
    assert.deepEqual([count("strong"), count("code"), count("link"), count("emphasis")], [200, 200, 400, 200]);
  });

  it("is shown as plain text when it is longer than any prose", () => {
    for (const line of ["word".repeat(10_000), "Some *words*. ".repeat(4_000).trimEnd()])
      assert.deepEqual(whole(line), [{ kind: "plain", text: line }]);
  });
});
