/** Limits on what is drawn of an answer: counts of its characters, elements and texts. */
import assert from "node:assert/strict";
import { drawnSizeOf } from "../../../../src/webview/answer/markdown/drawnSize.ts";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";
import type { Block } from "../../../../src/webview/answer/markdown/markdownTree.ts";

const read = (text: string): readonly Block[] => new MarkdownBlocks().update(text);
const kindsOf = (blocks: readonly Block[]): readonly string[] => [...new Set(blocks.map(({ kind }) => kind))];

describe("size limit of a block", () => {
  it("keeps a list of usual length formatted", () => {
    const list = Array.from({ length: 500 }, (_, index) => `- item ${String(index)} with \`code\``);
    assert.deepEqual(kindsOf(read(list.join("\n"))), ["list"]);
  });

  const many = Array.from({ length: 2_000 }, () => "see https://a.b/").join("\n");
  const asWritten: readonly (readonly [name: string, text: string])[] = [
    ["a paragraph", many],
    ["a list", "- `a`\n".repeat(3_000).trimEnd()],
    ["a list of empty items", "- \n".repeat(3_000).trimEnd()],
    ["a list in a list", `- a\n${"  - `a`\n".repeat(3_000)}`.trimEnd()],
    ["a quotation", many.replace(/^/gm, "> ")],
    ["a table", `| a |\n|---|\n${`| ${"**a** b ".repeat(10)}|\n`.repeat(400)}`.trimEnd()],
    [
      "a table of many cells",
      `${"|a".repeat(30)}|\n${"|-".repeat(30)}|\n${`${"|b".repeat(30)}|\n`.repeat(200)}`.trimEnd(),
    ],
  ];
  for (const [name, text] of asWritten)
    it(`shows ${name} of too many elements as plain text`, () => {
      assert.deepEqual(read(text), [{ kind: "plain", text }]);
    });

  it("keeps the blocks around an oversized one formatted", () => {
    const list = "- `a`\n".repeat(3_000).trimEnd();
    assert.deepEqual(
      read(`*Before.*\n\n${list}\n\n*After.*`).map(({ kind }) => kind),
      ["paragraph", "plain", "paragraph"],
    );
  });

  it("counts text among right-to-left letters by its layout runs", () => {
    const size = (text: string) => drawnSizeOf(read(text.repeat(100)));
    assert.equal(size("word (and) [x] "), 2);
    assert.ok(size("\u0645 (and) [x] ") > 4 * 100);
    assert.ok(size("\u0645\u0631\u062d\u0628\u0627 ") < 10);
    assert.ok(size("\u0645\u064e\u0631\u0652\u062d\u064e\u0628\u064b\u0627 ") < 10); // with vowel marks
  });

  it("does not apply to code and formulas, which have their own limits", () => {
    const code = "const a = 1; // as it is\n".repeat(2_400);
    assert.deepEqual(read(`\`\`\`ts\n${code}\`\`\``), [
      { kind: "code", language: "ts", text: code.trimEnd(), closed: true },
    ]);
    assert.deepEqual(kindsOf(read(`$$\n${"a + b + ".repeat(500)}c\n$$`)), ["formula"]);
  });
});

describe("size limit of an answer", () => {
  const paragraph = "Some *words* and `code`, as most paragraphs have them, and what else it takes to say a thing.\n\n";
  const rows = "| a | b |\n|---|---|\n| **c** | `d` |\n\n";
  const rest = (blocks: readonly Block[]): string => {
    const last = blocks.at(-1);
    assert.ok(last?.kind === "plain");
    return last.text;
  };
  const streamed = (text: string): readonly Block[] => {
    const growing = new MarkdownBlocks();
    for (let end = 3_000; end < text.length; end += 3_000) growing.update(text.slice(0, end));
    return growing.update(text);
  };

  it("keeps a long answer formatted to its end", () => {
    assert.deepEqual(kindsOf(read(paragraph.repeat(225_000 / paragraph.length))), ["paragraph"]);
    assert.deepEqual(kindsOf(read(rows.repeat(1_200))), ["table"]);
  });

  for (const [what, text] of [
    ["characters", paragraph.replace(/[*`]/g, "").repeat(6_000)],
    ["elements", rows.repeat(6_000)],
  ] as const)
    it(`shows the rest after too many ${what} as plain text, whether complete or streamed`, () => {
      for (const blocks of [read(text), streamed(text)]) {
        const end = rest(blocks);
        assert.ok(text.endsWith(end) && end.length > text.length / 4 && end.length < text.length, String(end.length));
        const size = drawnSizeOf(blocks.slice(0, -1));
        assert.ok(size < 20_100, String(size));
        assert.ok(what === "characters" ? text.length - end.length > 280_000 : size > 20_000, String(size));
      }
      assert.deepEqual(streamed(text), read(text));
    });

  it("applies at the same place while the answer grows, and anew for another text", () => {
    const text = rows.repeat(6_000);
    const growing = new MarkdownBlocks();
    const before = growing.update(text);
    const after = growing.update(`${text}[a]: https://a.example/\n\nmore`);
    assert.deepEqual(after.slice(0, -1), before.slice(0, -1));
    for (const [index, block] of before.slice(0, -1).entries()) assert.equal(after[index], block);
    assert.ok(rest(after).endsWith("https://a.example/\n\nmore"));
    assert.deepEqual(growing.update("Anew."), read("Anew."));
  });
});
