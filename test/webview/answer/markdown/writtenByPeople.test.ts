/** Markdown as people and models write it, where the letter of CommonMark means something else. */
import fc from "fast-check";
import assert from "node:assert/strict";
import { addressEnd } from "../../../../src/webview/answer/markdown/addressEnd.ts";
import type { Block, Inline } from "../../../../src/webview/answer/markdown/markdownTree.ts";
import { MarkdownBlocks } from "../../../../src/webview/answer/markdown/markdownBlocks.ts";

/** One line a block, with `[b …]`, `[i …]`, `[s …]` and `[address …]` for what is marked. */
function shown(markdown: string): readonly string[] {
  return new MarkdownBlocks().update(markdown).map(shownBlock);
}

function shownBlock(block: Block): string {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return block.inlines.map(shownInline).join("");
    case "code":
      return `${block.language}${block.closed ? "" : "…"}: ${block.text}`;
    case "list":
      return block.items.map(({ blocks }) => `- ${blocks.map(shownBlock).join(" / ")}`).join("\n");
    case "table":
      return [block.header, ...block.rows]
        .map((row) => row.map((cell) => cell.map(shownInline).join("")).join(" | "))
        .join("\n");
    case "quote":
      return `> ${block.blocks.map(shownBlock).join(" / ")}`;
    default:
      return block.kind;
  }
}

function shownInline(inline: Inline): string {
  const inside = "inlines" in inline ? inline.inlines.map(shownInline).join("") : "";
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "code":
      return `[code ${inline.text}]`;
    case "strong":
      return `[b ${inside}]`;
    case "emphasis":
      return `[i ${inside}]`;
    case "strike":
      return `[s ${inside}]`;
    case "link":
      return `[${inline.href ?? "none"} ${inside}]`;
    case "break":
      return "\n";
    default:
      return inline.kind;
  }
}

describe("emphasis", () => {
  const cases: Readonly<Record<string, string>> = {
    "**注意：**请先备份": "[b 注意：]请先备份",
    "**“引号”**后": "[b “引号”]后",
    "他说**“你好”**。": "他说[b “你好”]。",
    "**历经10年发展，**a": "[b 历经10年发展，]a",
    "**真—**她": "[b 真—]她",
    "**真-**她": "[b 真-]她",
    "これは**「重要」**です": "これは[b 「重要」]です",
    "**テスト。**テスト": "[b テスト。]テスト",
    "この**重要（じゅうよう）**は": "この[b 重要（じゅうよう）]は",
    "**ﾃｽﾄ｡**半角": "[b ﾃｽﾄ｡]半角",
    "**가나다(ABC)**를": "[b 가나다(ABC)]를",
    "핵심은**‘속도’**입니다": "핵심은[b ‘속도’]입니다",
    "*注意：*请": "[i 注意：]请",
    "***注意：***请": "[i [b 注意：]]请",
    "~~注意：~~请": "[s 注意：]请",
    "𠮷**“野”**家": "𠮷[b “野”]家",
    "**注意**：请": "[b 注意]：请",
    "两个**词**和**“词”**": "两个[b 词]和[b “词”]",
    "**文字 **后": "**文字 **后",
    "3 ** 4 ** 5": "3 ** 4 ** 5",
    "文件_(名)_在": "文件_(名)_在",
    "a**“b”**c": "a**“b”**c",
    "**Note:**text": "**Note:**text",
    "**bold**text": "[b bold]text",
    "\\*\\*注意：\\*\\*请": "**注意：**请",
    "`**注意：**请`": "[code **注意：**请]",
    "- **注意：**请\n- 无": "- [b 注意：]请\n- 无",
    "| **注：**一 |\n| - |\n| **二。**三 |": "[b 注：]一\n[b 二。]三",
    "## **一、**概述": "[b 一、]概述",
    "> **注意：**请": "> [b 注意：]请",
  };
  for (const [markdown, expected] of Object.entries(cases))
    it(`§9 East Asian signs: ${JSON.stringify(markdown)}`, () => {
      assert.deepEqual(shown(markdown), [expected]);
    });
});

describe("strikes", () => {
  const cases: Readonly<Record<string, string>> = {
    "10~20개, 30~40개": "10~20개, 30~40개",
    "大约3~5天，价格100~200元": "大约3~5天，价格100~200元",
    "(~2000 lines) and (~5000 lines)": "(~2000 lines) and (~5000 lines)",
    "~/a and ~/b": "~/a and ~/b",
    "~x~": "~x~",
    "喵呜~♡呦~": "喵呜~♡呦~",
    "~~x~~": "[s x]",
    "~~25~30~~": "[s 25~30]",
    "a~~b~~c": "a[s b]c",
    "~~x~": "~~x~",
    "~x~~": "~x~~",
    "| 25~30 | ~x~ |\n| - | - |\n| 1~2 | ~~y~~ |": "25~30 | ~x~\n1~2 | [s y]",
  };
  for (const [markdown, expected] of Object.entries(cases))
    it(`§9 tildes: ${JSON.stringify(markdown)}`, () => {
      assert.deepEqual(shown(markdown), [expected]);
    });
});

describe("addresses in sentences", () => {
  const endings: Readonly<Record<string, string>> = {
    "https://example.com。下一句": "https://example.com",
    "https://example.com，下一句": "https://example.com",
    "https://example.com）后": "https://example.com",
    "https://example.com」と": "https://example.com",
    "https://example.com｡次": "https://example.com",
    "https://example.com．cn": "https://example.com",
    "https://example.com»": "https://example.com",
    "https://example.com”": "https://example.com",
    "https://example.com’s": "https://example.com",
    "https://example.com…": "https://example.com",
    "https://example.com—then": "https://example.com",
    "https://example.com→": "https://example.com",
    "https://example.com👍": "https://example.com",
    "https://example.com،": "https://example.com",
    "https://example.com।": "https://example.com",
    "https://example.com的文档": "https://example.com",
    "https://example.com에서": "https://example.com",
    'https://example.com"是': "https://example.com",
    "https://example.com)是": "https://example.com",
    "https://example.com,then": "https://example.com",
    "http://localhost:3000。": "http://localhost:3000",
    "http://localhost的，见a.b": "http://localhost",
    "www.example.com。下": "www.example.com",
    "https://example.com/docs查看": "https://example.com/docs",
    "https://example.com/docs（说明）了解": "https://example.com/docs",
    "https://example.com/安装包（正式版）": "https://example.com/安装包",
    "https://zh.wikipedia.org/wiki/中文": "https://zh.wikipedia.org/wiki/中文",
    "https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)": "https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)",
    "https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ": "https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ",
    "https://example.com/s?wd=中文&n=1": "https://example.com/s?wd=中文&n=1",
    "https://example.com/Michelson–Morley": "https://example.com/Michelson–Morley",
    "https://qq邮箱.com/x": "https://qq邮箱.com/x",
    "https://i❤️.ws/a": "https://i❤️.ws/a",
    "https://müller.de/straße": "https://müller.de/straße",
    "https://xn--fsq.com/": "https://xn--fsq.com/",
    "https://a.example/b<c": "https://a.example/b",
    "https://a.example/b c": "https://a.example/b",
  };
  for (const [text, address] of Object.entries(endings))
    it(`§9 the address in ${JSON.stringify(text)} is ${address}`, () => {
      assert.equal(text.slice(0, addressEnd(text)), address);
    });

  const sentences: Readonly<Record<string, string>> = {
    "见 https://example.com。下一句": "见 [https://example.com/ https://example.com]。下一句",
    "（https://example.com）后": "（[https://example.com/ https://example.com]）后",
    "(see https://en.wikipedia.org/wiki/A_(b)).":
      "(see [https://en.wikipedia.org/wiki/A_(b) https://en.wikipedia.org/wiki/A_(b)]).",
    "(https://example.com/a)是": "([https://example.com/a https://example.com/a])是",
    "«https://example.com»": "«[https://example.com/ https://example.com]»",
    "**见 https://example.com。**后": "[b 见 [https://example.com/ https://example.com]。]后",
    "https://example.com/?a=1&b=2; x": "[https://example.com/?a=1&b=2 https://example.com/?a=1&b=2]; x",
    "https://müller.de": "[https://xn--mller-kva.de/ https://müller.de]",
    "https://appӏe.com": "[https://xn--appe-xre.com/ https://appӏe.com]",
    "[文档](https://example.com/a)。": "[https://example.com/a 文档]。",
    "me@example.com。下": "[none me@example.com]。下",
  };
  for (const [markdown, expected] of Object.entries(sentences))
    it(`§9 addresses: ${JSON.stringify(markdown)}`, () => {
      assert.deepEqual(shown(markdown), [expected]);
    });

  it("§9 no sign behind an address leads to another host", () => {
    const signs = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter(
      (character) => /\p{P}/u.test(character) && !/[·‧・–]|\p{ASCII}/u.test(character),
    );
    assert.deepEqual(
      signs.filter((sign) => {
        const [, link] = /^\[(\S+) https:\/\/example\.com\]/.exec(shown(`https://example.com${sign}下`)[0] ?? "") ?? [];
        return link !== "https://example.com/";
      }),
      [],
    );
  });
});

describe("character references", () => {
  it("§9 stand for themselves in code", () => {
    assert.deepEqual(shown("`&lt;div&gt;` &lt;div&gt; &amp;amp;\n\n```html\n&lt;div&gt; &amp;\n```\n\n    &amp;"), [
      "[code &lt;div&gt;] <div> &amp;",
      "html: &lt;div&gt; &amp;",
      ": &amp;",
    ]);
  });
});

describe("a Markdown document inside a fence", () => {
  const cases: readonly (readonly [name: string, markdown: string, blocks: readonly string[]])[] = [
    [
      "with code",
      "```markdown\n# A\n\n```bash\nnpm i\n```\n\nmore\n```\n\nafter",
      ["markdown: # A\n\n```bash\nnpm i\n```\n\nmore", "after"],
    ],
    [
      "with code of several languages and none",
      "```md\n## Use\n\n```ts\na\n```\n## Tree\n```\nsrc/\n```\n\nRun:\n```\nnpm t\n```\n```\nafter",
      ["md: ## Use\n\n```ts\na\n```\n## Tree\n```\nsrc/\n```\n\nRun:\n```\nnpm t\n```", "after"],
    ],
    [
      "with code in a list",
      "```markdown\n1. Do\n   ```sh\n   x\n   ```\n2. Or\n\n   ```\n   y\n   ```\n```\n\nafter",
      ["markdown: 1. Do\n   ```sh\n   x\n   ```\n2. Or\n\n   ```\n   y\n   ```", "after"],
    ],
    [
      "with a document",
      "```markdown\n```md\n```sh\nx\n```\n```\n```\nafter",
      ["markdown: ```md\n```sh\nx\n```\n```", "after"],
    ],
    ["named by its file", "```README.md\n```sh\nx\n```\nend\n```\nafter", ["README.md: ```sh\nx\n```\nend", "after"]],
    ["in tildes", "~~~markdown\n~~~sh\nx\n~~~\nend\n~~~\nafter", ["markdown: ~~~sh\nx\n~~~\nend", "after"]],
    ["with shorter fences", "````markdown\n```sh\nx\n```\n````\nafter", ["markdown: ```sh\nx\n```", "after"]],
    ["with other fences", "```markdown\n~~~sh\nx\n~~~\n```\nafter", ["markdown: ~~~sh\nx\n~~~", "after"]],
    ["with longer fences", "```markdown\n````sh\n```\n````\n```\nafter", ["markdown: ````sh\n```\n````", "after"]],
    ["in a list", "- x\n  ```md\n  ```sh\n  y\n  ```\n  ```\n- z", ["- x / md: ```sh\ny\n```\n- z"]],
    ["without fences of its own", "```markdown\n# A\n```\nafter\n\n```\nb\n```", ["markdown: # A", "after", ": b"]],
    [
      "two of them",
      "```md\n```a\n1\n```\n```\n\nand\n\n```md\n```b\n2\n```\n```",
      ["md: ```a\n1\n```", "and", "md: ```b\n2\n```"],
    ],
    [
      "with nothing but code without a language",
      "```markdown\n# A\n\n```\nsrc/\n```\n\nend\n```\n\nafter",
      ["markdown: # A\n\n```\nsrc/\n```\n\nend", "after"],
    ],
    [
      "that ends before prose and code with a language",
      "```markdown\n# A\n```\nNow run\n```sh\nx\n```",
      ["markdown: # A", "Now run", "sh: x"],
    ],
    [
      "that ends before prose with code",
      "```markdown\n# A\nend\n```\nNow run\n```\nx\n```",
      ["markdown: # A\nend", "Now run", ": x"],
    ],
    ["and other code with fences in it", "```js\n```ts\nx\n```\nafter", ["js: ```ts\nx", "after"]],
    ["whose own fence is missing", "```markdown\n```ts\nx\n```\n\nafter", ["markdown: ```ts\nx", "after"]],
    [
      "whose own fence is missing, before one that is whole",
      "```md\n```ts\nx\n```\n\nafter\n\n```js\ny\n```",
      ["md: ```ts\nx", "after", "js: y"],
    ],
  ];
  for (const [name, markdown, blocks] of cases)
    it(`§9 nested fences, ${name}`, () => {
      assert.deepEqual(shown(markdown), blocks);
    });

  it("§9 nested fences are one open block until the document's own fence comes", () => {
    const text = "```markdown\n# A\n\n```bash\nnpm i\n```\n\nmore\n```\n\nafter";
    const markdown = new MarkdownBlocks();
    const kinds = new Set<string>();
    for (let end = 13; end <= text.length; end++) {
      kinds.add(
        markdown
          .update(text.slice(0, end), true)
          .map((block) => (block.kind === "code" ? `${block.language} ${String(block.closed)}` : block.kind))
          .join(", "),
      );
    }
    assert.deepEqual([...kinds], ["markdown false", "markdown true", "markdown true, paragraph"]);
  });

  it("§9 nested fences give the same blocks however the text arrives", () => {
    const lines = ["```markdown", "```md", "```sh", "```", "   ```", "````", "~~~", "# A", "text", "Run:", "- x", ""];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...lines), { maxLength: 16 }).map((list) => list.join("\n")),
        fc.array(fc.nat(60), { maxLength: 12 }),
        (text, cuts) => {
          const markdown = new MarkdownBlocks();
          for (const cut of [...cuts].sort((a, b) => a - b)) markdown.update(text.slice(0, cut), true);
          assert.deepEqual(markdown.update(text), new MarkdownBlocks().update(text));
        },
      ),
      { numRuns: 2000, examples: [["- x\n```markdown\n````\nRun:\n- x\n\n````\n```", [37]]] },
    );
  });
});

describe("blocks without the blank lines that they should have", () => {
  const cases: readonly (readonly [name: string, markdown: string, blocks: readonly string[]])[] = [
    ["a list after text", "text\n- a\n- b", ["text", "- a\n- b"]],
    ["numbers after text", "text\n1. a\n2. b", ["text", "- a\n- b"]],
    ["a heading after text", "text\n## a\ntext", ["text", "a", "text"]],
    ["a table after text", "text\n|a|b|\n|-|-|\n|1|2|", ["text", "a | b\n1 | 2"]],
    ["code after text", "text\n```js\na\n```\ntext", ["text", "js: a", "text"]],
    ["hard breaks", "a  \nb\\\nc<br>d", ["a\nb\nc\nd"]],
    ["amounts of money", "costs $5 and $10, not US$3", ["costs $5 and $10, not US$3"]],
    ["a number sign in text", "#1 and #tag", ["#1 and #tag"]],
  ];
  for (const [name, markdown, blocks] of cases)
    it(`§9 ${name}`, () => {
      assert.deepEqual(shown(markdown), blocks);
    });
});
