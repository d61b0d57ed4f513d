/** Code of any length is read as short code is: the same blocks, with the long text in place of the short one. */
import fc from "fast-check";
import assert from "node:assert/strict";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";
import type { Block } from "../../../../src/webview/answer/markdown/markdownTree.ts";

const read = (text: string): readonly Block[] => new MarkdownBlocks().update(text);
const streamed = (text: string, length: number): readonly Block[] => {
  const growing = new MarkdownBlocks();
  for (let end = length; end < text.length; end += length) growing.update(text.slice(0, end), true);
  return growing.update(text);
};

type Layout = (code: (indent?: number) => string) => string;
const layouts: readonly (readonly [name: string, layout: Layout])[] = [
  ["in a fence", (code) => `*Before.*\n\n\`\`\`ts\n${code()}\n\`\`\`\n\n**After.**\n\n- and\n- more`],
  ["right after a line", (code) => `Here it is:\n\`\`\`ts\n${code()}\n\`\`\`\n**After.**\n\nmore`],
  ["between tildes", (code) => `~~~~\n${code()}\n~~~\n~~~~\n*After.*`],
  ["that is not closed", (code) => `# Here\n\n\`\`\`\n${code()}`],
  ["whose fence is indented", (code) => `   \`\`\`ts src/a.ts\n${code()}\n   \`\`\`\n\n*After.*`],
  ["in a numbered list", (code) => `1. Do *this*:\n\n   \`\`\`ts\n${code(3)}\n   \`\`\`\n\n2. and that.\n\n*After.*`],
  ["in an item in an item", (code) => `- a\n  - b\n    \`\`\`\n${code(4)}\n    \`\`\`\n- c\n\n*After.*`],
  ["beginning an item", (code) => `- \`\`\`sh\n${code(2)}\n  \`\`\`\n- c\n\n*After.*`],
  [
    "with fences that are indented",
    (code) => `- a\n  \`\`\`\n${code(2)}\n        \`\`\`\n${code(2)}\n  \`\`\`\n\n*After.*`,
  ],
  ["with shorter fences", (code) => `\`\`\`\`\n${code()}\n\`\`\`\n${code()}\n\`\`\`\`\n\n*After.*`],
  ["in a document", (code) => `\`\`\`md\n# Title\n\n\`\`\`ts\n${code()}\n\`\`\`\n\nend\n\`\`\`\n\n*After.*`],
  ["twice", (code) => `a\n\`\`\`ts\n${code()}\n\`\`\`\nb\n\`\`\`\n${code()}\n\`\`\`\nc`],
];

/** Lines of code as it may be; `{}` becomes as many lines as are wanted. */
const shapes: readonly string[] = [
  "const value = `a`;{}\nend()",
  "// begins\n\n  indented{}\n\n# no heading\n",
  "- no\titem{}\n> no quote\n    deeper\n \t\ttabs",
];
const grown = (shape: string, count: number): string => shape.replace("{}", "\nline(1, 2);\nmore".repeat(count));

describe("code of any length", () => {
  const LENGTHS = [2, 2_000, 30_000] as const;
  for (const [name, layout] of layouts)
    it(`E:long-code is drawn as code ${name}, with all that stands after it`, () => {
      for (const shape of shapes) {
        const texts = LENGTHS.map((count) => {
          const lines = grown(shape, count);
          return layout((indent = 0) => lines.replace(/^(?=.)/gm, " ".repeat(indent)));
        });
        const [short, ...long] = texts.map((text, index) =>
          JSON.stringify(read(text)).replaceAll("\\nline(1, 2);\\nmore".repeat(LENGTHS[index] ?? 0), "{}"),
        );
        for (const blocks of long) assert.equal(blocks, short);
      }
    });

  it("E:long-code is one block of a million characters on one line", () => {
    const line = "x".repeat(1_000_000);
    assert.deepEqual(
      read(`\`\`\`json\n${line}\n\`\`\`\n\n*After.*`).map((block) => ("text" in block ? block.text === line : block)),
      [true, { kind: "paragraph", inlines: [{ kind: "emphasis", inlines: [{ kind: "text", text: "After." }] }] }],
    );
  });

  it("E:long-code is no part of what only looks like a fence", () => {
    const lines = "line of it\n".repeat(1_000);
    for (const text of [
      `<!--\n\`\`\`\n${lines}\`\`\`\n-->\n\n*After.*`,
      `- a\n  \`\`\`\n${lines}  \`\`\`\n\n*After.*`,
      `\`\`\`\n${lines}\ufdd00\ufdd0\n\`\`\`\n\n*After.*`,
    ])
      assert.equal(
        JSON.stringify(read(`\`\`\`\n${lines.repeat(4)}\`\`\`\n${text}`).slice(1)),
        JSON.stringify(read(text)),
        text.slice(0, 30),
      );
  });

  it("E:long-code gives the same blocks however it arrives", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...layouts),
        fc.constantFrom(...shapes),
        fc.integer({ min: 0, max: 4_000 }),
        fc.integer({ min: 3_000, max: 50_000 }),
        ([, layout], shape, count, length) => {
          const lines = grown(shape, count);
          const text = layout((indent = 0) => lines.replace(/^(?=.)/gm, " ".repeat(indent)));
          assert.deepEqual(streamed(text, length), read(text));
        },
      ),
      { seed: 20_261_127, numRuns: 60 },
    );
  });
});
