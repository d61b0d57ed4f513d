import fc from "fast-check";
import { Lexer, Tokenizer, type Tokens } from "marked";
import assert from "node:assert/strict";
import { addressEnd } from "../../../../src/webview/answer/markdown/addressEnd.ts";
import { lexMarkdown } from "../../../../src/webview/answer/markdown/lexMarkdown.ts";

/** Pieces of text with every character that can have a meaning within a line. */
const pieces = [
  ...Array.from("aB9 \n,;.:!?&()[]{}|*_~`'\"#-+=@/\\>"),
  "word",
  "snake_case",
  "  \n",
  "\n\n",
  "https://a.example/b",
  "ftp://a",
  "www.a.example",
  "WWW.a.example",
  "mailto:a@b.example",
  "xmpp:a@b.example/c",
  "a.b+c@d.example",
  "&lt;",
  "&#65;",
  "&#x41;",
  "| - |",
  "- [ ] ",
  "1. ",
  "[a]: b\n\n",
  "[a]",
  "![a](b)",
];
const sources = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(""));

/** Marked's rules, except that one tilde strikes nothing out, and for the end of an address. */
class Reference extends Tokenizer {
  override del(...[source, masked, previous]: Parameters<Tokenizer["del"]>): Tokens.Del | undefined {
    return source.startsWith("~~") ? super.del(source, masked, previous) : undefined;
  }

  override url(source: string): Tokens.Link | undefined {
    return super.url(/^(?:https?|ftp):|^www\./i.test(source) ? source.slice(0, addressEnd(source)) : source);
  }
}

describe("lexMarkdown", () => {
  it("gives the tokens of marked for text without HTML, although it skips plain lines", () => {
    fc.assert(
      fc.property(sources, (source) => {
        fc.pre(!/\\[([]/.test(source)); // a formula
        assert.deepEqual(
          [...(lexMarkdown(source, {})?.tokens ?? [])],
          [...new Lexer({ gfm: true, tokenizer: new Reference() }).lex(source)],
        );
      }),
      { numRuns: 3000 },
    );
  });

  it("returns a comment or declaration as one HTML token", () => {
    for (const [begin, end] of [
      ["<!--", "-->"],
      ["<?", "?>"],
      ["<!A ", ">"],
      ["<![CDATA[", "]]>"],
    ] as const) {
      const [paragraph] = lexMarkdown(`a ${begin} *b* ${end}`, {})?.tokens ?? [];
      assert.ok(paragraph !== undefined && "tokens" in paragraph);
      assert.deepEqual(
        paragraph.tokens.map(({ type }) => type),
        ["text", "html"],
      );
    }
  });

  it("rejects text that needs too many steps, whatever the speed of the machine", () => {
    const isRead = (source: string): boolean => lexMarkdown(source, {}) !== null;
    assert.deepEqual(
      [1_000, 2_500, 5_000].map((count) => isRead("`a` ".repeat(count))),
      [true, true, false],
    );
    assert.deepEqual(
      [1_000, 5_000].map((count) => isRead("a\n\n".repeat(count))),
      [true, false],
    );
  });

  it("accepts long code, but not a long line that resembles a fence or follows the code", () => {
    const line = "x".repeat(40_000);
    const isRead = (source: string): boolean => lexMarkdown(source, {}) !== null;
    for (const fence of ["```", "~~~~"]) {
      const code = `${fence}js\n${`${line}\n`.repeat(5)}`;
      for (const read of [code, `${code}${fence}\nand words`, `\n${code}${fence}\n\n${code}`])
        assert.ok(isRead(read), `${read.slice(0, 10)}… of ${String(read.length)}`);
      assert.ok(!isRead(`${code}${fence}\n${line}`));
    }
    assert.ok(!isRead(`\`\`\`js \`${line}`));
    assert.ok(isRead(`\`\`\`js\n${line.repeat(15)}`));
  });
});
