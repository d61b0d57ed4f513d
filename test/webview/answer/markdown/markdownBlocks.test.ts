import fc from "fast-check";
import assert from "node:assert/strict";
import type { Block, Inline } from "../../../../src/webview/answer/markdown/markdownTree.ts";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";

const whole = (text: string): readonly Block[] => new MarkdownBlocks().update(text);
const text = (value: string): Inline => ({ kind: "text", text: value });
const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const paragraph = (...inlines: readonly Inline[]): Block => ({ kind: "paragraph", inlines });

describe("MarkdownBlocks", () => {
  const cases: readonly (readonly [name: string, markdown: string, blocks: readonly Block[]])[] = [
    ["text with references", "a &lt;b&gt; &#65; &check; &unknown;", [paragraph(text("a <b> A ✓ &unknown;"))]],
    ["an escaped character reference only once", "&amp;lt; &#38;gt;", [paragraph(text("&lt; &gt;"))]],
    [
      "raw HTML as text",
      "one <b>two</b> https://a.example/x",
      [
        paragraph(text("one "), text("<b>"), text("two"), text("</b>"), text(" "), {
          kind: "link",
          href: "https://a.example/x",
          address: "https://a.example/x",
          inlines: [text("https://a.example/x")],
        }),
      ],
    ],
    [
      "a link after an unclosed <a>",
      "see <a> https://a.example/",
      [
        paragraph(text("see "), text("<a>"), text(" "), {
          kind: "link",
          href: "https://a.example/",
          address: "https://a.example/",
          inlines: [text("https://a.example/")],
        }),
      ],
    ],
    ["an HTML block", "<script>\nalert(1)\n</script>", [{ kind: "verbatim", text: "<script>\nalert(1)\n</script>" }]],
    [
      "a link to a message of this conversation",
      "[there](#message-118) [not](#message-1a)",
      [
        paragraph({ kind: "message", messageId: 117, inlines: [text("there")] }, text(" "), {
          kind: "link",
          href: null,
          address: "#message-1a",
          inlines: [text("not")],
        }),
      ],
    ],
    [
      "a link to another conversation, or to a message of it",
      `[it](#conversation-${UUID}) [there](#conversation-${UUID}-message-12) [not](#conversation-${UUID}-message-0)`,
      [
        paragraph(
          { kind: "conversation", place: { conversationId: UUID, messageId: null }, inlines: [text("it")] },
          text(" "),
          { kind: "conversation", place: { conversationId: UUID, messageId: 11 }, inlines: [text("there")] },
          text(" "),
          { kind: "link", href: null, address: `#conversation-${UUID}-message-0`, inlines: [text("not")] },
        ),
      ],
    ],
    [
      "a link with an unsafe address as not openable",
      "[x](javascript:alert(1))",
      [paragraph({ kind: "link", href: null, address: "javascript:alert(1)", inlines: [text("x")] })],
    ],
    [
      "an image",
      "![alt](https://a.example/i.png)",
      [paragraph({ kind: "image", href: "https://a.example/i.png", address: "https://a.example/i.png", alt: "alt" })],
    ],
    ["an open fence", "```ts x=1\nlet a", [{ kind: "code", language: "ts", text: "let a", closed: false }]],
    ["a closed fence", "~~~\nlet a\n~~~\n", [{ kind: "code", language: "", text: "let a", closed: true }]],
    [
      "headings without skipping a level",
      "#### a\n\n# b\n\n### c",
      [
        { kind: "heading", depth: 4, level: 3, inlines: [text("a")] },
        { kind: "heading", depth: 1, level: 3, inlines: [text("b")] },
        { kind: "heading", depth: 3, level: 4, inlines: [text("c")] },
      ],
    ],
    [
      "a task list",
      "- [x] a\n- [ ] b",
      [
        {
          kind: "list",
          start: null,
          items: [
            { task: "done", tight: true, blocks: [paragraph(text("a"))] },
            { task: "open", tight: true, blocks: [paragraph(text("b"))] },
          ],
        },
      ],
    ],
    [
      "a table with a line break in a cell",
      "|a|b|\n|-|-:|\n|1<BR />2<br x>|",
      [
        {
          kind: "table",
          align: [null, "right"],
          header: [[text("a")], [text("b")]],
          rows: [[[text("1"), { kind: "break" }, text("2"), text("<br x>")], []]],
        },
      ],
    ],
    [
      "a link defined after it",
      "[x]\n\n[x]: https://a.example/",
      [paragraph({ kind: "link", href: "https://a.example/", address: "https://a.example/", inlines: [text("x")] })],
    ],
  ];
  for (const [name, markdown, blocks] of cases) {
    it(`parses ${name}`, () => {
      assert.deepEqual(whole(markdown), blocks);
    });
  }

  const pieces = [
    "# Title\n",
    "Setext\n===\n",
    "para **bold *both* `code` text\n",
    "para\n",
    "```ts\nconst a = 1;\n\n// more\n```\n",
    "```\n",
    "~~~\n",
    "    indented\n",
    "\tindented by tab\n",
    "- item\n",
    "  more of it\n",
    "* other list\n",
    "   - nested\n",
    "1. one\n",
    "2) two\n",
    "- [ ] task\n",
    "-\n",
    "> quote\n",
    "> > deep\n",
    "lazy\n",
    "| a | b |\n|---|:-:|\n| 1 | 2 |\n",
    "| a | b |\n",
    "---\n",
    "***\n",
    "<div>\n",
    "</div>\n",
    "<script>\n",
    "<!-- open\n",
    "-->\n",
    "<a href=x>\n",
    "<think>\n",
    "[ref]: https://a.example/\n",
    "[ref]: https://b.example/ 'first'\n",
    "[other]:\n",
    "see [ref] and [text][other] and https://c.example\n",
    "![image](https://a.example/i.png)\n",
    "line\r\n",
    "a\\\nb  \nc\n",
    "&amp; &#x41;\n",
    "**注意：**请先备份，见 https://a.example。10~20个, 30~40个\n",
    "```markdown\n",
    "```markdown\n# A\n\n```sh\nnpm i\n```\n",
    "```markdown\n# A\n\n```sh\nnpm i\n```\n\n```\ntree\n```\n\nend\n```\n",
    "~~~ md\n",
    "so $a_1$ costs $5, *or $b*c$*\n",
    "$$\n",
    "$$ x $$\n",
    "\\[\n",
    "\\]\n",
    "- \\(y\\)\n",
    "$",
    "\n",
    "\n",
    "\n",
    "  \n",
    " ",
    "x",
    "`",
    "*",
  ];
  const documents = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((list) => list.join(""));

  it("gives for each prefix of a growing text the blocks of that prefix alone", () => {
    fc.assert(
      fc.property(
        documents,
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        (source, sizes) => {
          const growing = new MarkdownBlocks();
          for (let end = 0, turn = 0; end < source.length; turn++) {
            end = Math.min(source.length, end + (sizes[turn % sizes.length] ?? 1));
            const prefix = source.slice(0, end);
            const isGrowing = end < source.length;
            assert.deepEqual(growing.update(prefix, isGrowing), new MarkdownBlocks().update(prefix, isGrowing));
          }
        },
      ),
      { seed: 20_261_121, numRuns: 1500 },
    );
  }).timeout(60_000);

  it("gives the blocks of a text that goes on after it was whole", () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        const blocks = new MarkdownBlocks();
        blocks.update(one);
        assert.deepEqual(blocks.update(one + other), whole(one + other));
      }),
      { seed: 20_261_127, numRuns: 600 },
    );
  });

  it("parses from the start when the text does not continue the last one", () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        const blocks = new MarkdownBlocks();
        blocks.update(one);
        assert.deepEqual(blocks.update(other), whole(other));
      }),
      { seed: 7, numRuns: 400 },
    );
  });

  it("reuses the objects of closed blocks and unchanged list items", () => {
    const blocks = new MarkdownBlocks();
    const before = blocks.update("one\n\n```js\n1\n```\n\n- a\n- b\n- c");
    const after = blocks.update("one\n\n```js\n1\n```\n\n- a\n- b\n- cd");
    assert.equal(after[0], before[0]);
    assert.equal(after[1], before[1]);
    const [listBefore, listAfter] = [before[2], after[2]];
    assert.ok(listBefore?.kind === "list" && listAfter?.kind === "list");
    assert.deepEqual(
      listAfter.items.map((item, index) => item === listBefore.items[index]),
      [true, true, false],
    );
  });

  const hostile: Readonly<Record<string, string>> = {
    "quotes in quotes": ">".repeat(10_000),
    "quotes with spaces": "> ".repeat(5000),
    "bullets in bullets": "- ".repeat(5000),
    "lists in lists": Array.from({ length: 500 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"),
    "open brackets": "[".repeat(20_000),
    "open links": "[a](".repeat(5000),
    "images in links": "[![".repeat(6000),
    "emphasis that never closes": "*a **b ".repeat(2500),
    "emphasis that closes": `${"*a _b ".repeat(1500)}${"_ *".repeat(1500)}`,
    backticks: "`".repeat(19_000),
    "backticks of all lengths": Array.from({ length: 180 }, (_, length) => `${"`".repeat(length)}a`).join(" "),
    "a line of a megabyte": "a".repeat(1_000_000),
    "a megabyte of lines": "word word\n".repeat(100_000),
    "emphasis over many lines": "**a *b\n".repeat(4000) + "b* a**\n".repeat(4000),
    "strikes over many lines": "~~a ~b\n".repeat(8000) + "b~ a~~\n".repeat(8000),
    "quotes and lazy lines": "> a\nb\n".repeat(16_000),
    "an address without an end": `${"a.".repeat(9000)}@`,
    "tags that never end": "<a ".repeat(6000),
    comments: "<!--".repeat(5000),
    "table of pipes": `${"|a".repeat(2000)}|\n${"|-".repeat(2000)}|\n${"|b".repeat(2000)}|`,
    "lines of pipes, and no table": `${"|".repeat(9_900)}\na\n`.repeat(6),
    dollars: "$a ".repeat(19_000),
    "dollars and words": `$ ${"*a* ".repeat(14_000)}`,
    "dollars in paragraphs": "$$\n\n".repeat(14_000),
    "formulas that never end": "\\(a ".repeat(14_000),
    "formulas on lines that never end": "a\n\\[\n".repeat(9000),
    "formulas on lines": "a\n\\[\nx\n\\]\n".repeat(5000),
    formulas: "$a$ ".repeat(14_000),
    "fences in documents": "```markdown\n```sh\n".repeat(2000),
    "documents without an end": "```markdown\n```sh\n```\n\n".repeat(1500),
    "addresses in a row": "https://a.的的的，".repeat(1500),
    "an address of many words": `https://${"a的".repeat(9000)}.com`,
    "emphasis of East Asian words": "**注意：**请*先“备”份*".repeat(1500),
    "emphasis of East Asian words that never closes": "**注意：*请“备 ".repeat(1000),
    "strikes of East Asian words that never close": "~~注意：~请“备 ".repeat(1000),
    definitions: Array.from({ length: 2000 }, (_, label) => `[${String(label)}]: https://a.example/\n`).join(""),
  };
  const parsed = (source: string): { readonly blocks: readonly Block[]; readonly spentMs: number } => {
    const start = performance.now();
    const blocks = whole(source);
    return { blocks, spentMs: performance.now() - start };
  };
  /** 3 s where the backticks take 0.66 s; on a slower machine longer in proportion. */
  const limitMs = (): number => 4.5 * parsed(hostile["backticks"] ?? "").spentMs;
  for (const [name, source] of Object.entries(hostile)) {
    it(`parses ${name} in less than 3 s`, () => {
      const { blocks, spentMs } = parsed(source);
      assert.ok(blocks.length > 0 || name === "definitions");
      // Without the parser's limits some of these take many seconds.
      assert.ok(spentMs < 3000 || spentMs < limitMs(), `${String(Math.round(spentMs))} ms`);
    }).timeout(30_000);
  }
});
