import fc from "fast-check";
import assert from "node:assert/strict";
import { drawnSizeOf, mostDrawn } from "../../src/webview/markdown/drawnSize.ts";
import { blocksOfText, MarkdownBlocks } from "../../src/webview/markdown/markdownBlocks.ts";
import type { Block, List, ListItem } from "../../src/webview/markdown/markdownTree.ts";
import { wholeBlocks } from "../../src/webview/markdown/wholeBlocks.ts";

const kindsOf = (text: string): readonly string[] => blocksOfText(text).map(({ kind }) => kind);
const listsOf = (blocks: readonly Block[]): readonly List[] => blocks.filter((block) => block.kind === "list");
const itemsOf = (lists: readonly List[]): readonly ListItem[] => lists.flatMap(({ items }) => items);

describe("boundedBlocks", () => {
  const items = Array.from({ length: 3_000 }, (_, index) => index + 7);
  for (const [kind, sign] of [
    ["numbered", (index: number) => `${String(index)}.`],
    ["bulleted", () => "-"],
  ] as const)
    it(`gives a long ${kind} list in parts that go on where the one before ended`, () => {
      const parts = listsOf(blocksOfText(items.map((index) => `${sign(index)} item ${String(index)}`).join("\n")));
      assert.ok(parts.length > 5, String(parts.length));
      assert.deepEqual(
        itemsOf(parts).map(({ blocks }) => blocks),
        items.map((index) => [{ kind: "paragraph", inlines: [{ kind: "text", text: `item ${String(index)}` }] }]),
      );
      let next = 7;
      for (const [at, { start, items: own, goesOn }] of parts.entries()) {
        assert.equal(start, kind === "bulleted" ? null : next);
        assert.equal(goesOn, at === parts.length - 1 ? undefined : true);
        assert.ok(drawnSizeOf(own.flatMap(({ blocks }) => blocks)) < 1_000);
        next += own.length;
      }
    });

  it("leaves a list of usual length whole", () => {
    const list = items.slice(0, 100).map((index) => `- item ${String(index)} with \`code\``);
    assert.deepEqual(kindsOf(list.join("\n")), ["list"]);
  });

  it("keeps the parts of a list that grows", () => {
    const lines = items.slice(0, 600).map((index) => `${String(index)}. item with **words** and \`code\``);
    const growing = new MarkdownBlocks();
    let before: readonly Block[] = [];
    for (let count = 40; count <= lines.length; count += 40) {
      const blocks = growing.update(lines.slice(0, count).join("\n"));
      for (const [at, part] of before.slice(0, -1).entries()) assert.equal(blocks[at], part);
      before = blocks;
    }
    assert.deepEqual(before, blocksOfText(lines.join("\n")));
  });

  const many = Array.from({ length: 2_000 }, () => "see https://a.b/").join("\n");
  const asWritten: readonly (readonly [name: string, text: string])[] = [
    ["a paragraph", many],
    ["a list", "- `a`\n".repeat(3_000).trimEnd()],
    ["a quotation", many.replace(/^/gm, "> ")],
    ["a table", `| a |\n|---|\n${`| ${"**a** b ".repeat(10)}|\n`.repeat(400)}`.trimEnd()],
  ];
  for (const [name, text] of asWritten)
    it(`shows ${name} of too many elements as it is written`, () => {
      assert.deepEqual(blocksOfText(text), [{ kind: "plain", text }]);
    });

  it("shows an item of too many elements as it is written, and the others as usual", () => {
    const inner = Array.from({ length: mostDrawn }, (_, index) => `  - ${String(index)}`).join("\n");
    const blocks = itemsOf(listsOf(blocksOfText(`- before\n- all\n${inner}\n- after`))).map((item) => item.blocks);
    assert.deepEqual(
      blocks.map((each) => each.map(({ kind }) => kind)),
      [["paragraph"], ["plain"], ["paragraph"]],
    );
    assert.deepEqual(blocks[1], [{ kind: "plain", text: `- all\n${inner}` }]);
  });

  it("counts what stands among letters from right to left as the pieces that it is laid out in", () => {
    const size = (text: string) => drawnSizeOf(blocksOfText(text.repeat(100)));
    assert.equal(size("word (and) [x] "), 2);
    assert.ok(size("\u0645 (and) [x] ") > 4 * 100);
    assert.ok(size("\u0645\u0631\u062d\u0628\u0627 ") < 10);
    assert.ok(size("\u0645\u064e\u0631\u0652\u062d\u064e\u0628\u064b\u0627 ") < 10); // with its vowels
  });

  it("leaves code and formulas to their own limits", () => {
    const code = "const a = 1; // as it is\n".repeat(1_800);
    assert.deepEqual(blocksOfText(`\`\`\`ts\n${code}\`\`\``), [
      { kind: "code", language: "ts", text: code.trimEnd(), closed: true },
    ]);
    assert.deepEqual(kindsOf(`$$\n${"a + b + ".repeat(500)}c\n$$`), ["formula"]);
  });

  it("draws no more together than the bound, whatever is said", () => {
    const pieces = [
      "- ",
      "1. ",
      "> ",
      "\n",
      "\n\n",
      "a",
      "**b** ",
      "`c` ",
      "# ",
      "| d ",
      "|-",
      "[e](f) ",
      "\u202e",
      "م",
      "漢",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }), (unit) => {
        const blocks = new MarkdownBlocks().update(unit.join("").repeat(20_000 / unit.length));
        for (const whole of wholeBlocks(blocks)) {
          const [first] = whole;
          const isBounded = first.kind !== "code" && first.kind !== "plain" && first.kind !== "verbatim";
          // A part of a list ends with the item that makes it large.
          if (isBounded)
            assert.ok(drawnSizeOf(whole) <= 2 * mostDrawn, `${first.kind} of ${String(drawnSizeOf(whole))}`);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("MarkdownBlocks, all of an answer", () => {
  const item = "Some *words* and `code`, as most paragraphs have them, and what else it takes to say a thing.\n\n";
  const sizeOf = (blocks: ReturnType<typeof blocksOfText>) =>
    drawnSizeOf(blocks.filter(({ kind }) => kind !== "plain"));
  const written = (blocks: ReturnType<typeof blocksOfText>) => {
    const last = blocks.at(-1);
    return last?.kind === "plain" ? last.text : undefined;
  };

  it("reads as much as a model can write", () => {
    const text = item.repeat(500_000 / item.length);
    assert.deepEqual([...new Set(blocksOfText(text).map(({ kind }) => kind))], ["paragraph"]);
  });

  it("shows the rest as it is written from where it would hold the page up, at once and while it grows", () => {
    const text = "\n\n    code\n\n.\n".repeat(8_000);
    const atOnce = blocksOfText(text);
    const growing = new MarkdownBlocks();
    let blocks: typeof atOnce = [];
    for (let end = 0; end < text.length; end += 2_000) blocks = growing.update(text.slice(0, end + 2_000));
    for (const all of [atOnce, blocks]) {
      const rest = written(all) ?? "";
      assert.ok(rest.length > text.length / 2 && text.endsWith(rest));
      const size = sizeOf(all);
      assert.ok(size > 60_000 && size < 90_000, String(size));
    }
    const more = growing.update(`${text}[a]: https://a.example/\n\nmore`);
    assert.deepEqual(more.slice(0, -1), blocks.slice(0, -1));
    assert.ok(written(more)?.endsWith("https://a.example/\n\nmore"));
    assert.deepEqual(growing.update("Anew."), blocksOfText("Anew."));
  });
});

describe("MarkdownBlocks, in parts", () => {
  const prose = Array.from({ length: 700 }, (_, index) => `Paragraph **${String(index)}** with some words.\n\n`).join(
    "",
  );

  it("reads a long text in several steps, and gives what it gives at once", () => {
    const reading = new MarkdownBlocks().reading(prose);
    let steps = 1;
    let step = reading.next();
    for (; step.done !== true; step = reading.next()) steps++;
    assert.equal(steps, Math.ceil(prose.length / 16_000));
    assert.deepEqual(step.value, new MarkdownBlocks().update(prose));
  });

  it("reads a block without end once more when it has grown, not in parts again", () => {
    const block = "- one item and another\n".repeat(2_000);
    const growing = new MarkdownBlocks();
    growing.update(block);
    assert.equal(growing.reading(`${block}- more`).next().done, true);
    assert.deepEqual(growing.update(`${block}- more`), blocksOfText(`${block}- more`));
  });
});
