import assert from "node:assert/strict";
import type { CodeToken, CodeTokenKind } from "../../../../src/webview/answer/code/codeTokens.ts";
import { highlight } from "../../../../src/webview/answer/code/highlight.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";

describe("highlight", () => {
  it("gives tokens that add up to the code", () => {
    const samples: readonly (readonly [language: string, code: string])[] = [
      ["ts", "const a: number = 1; // one\nfunction f(x: string) { return `a${x}`; }"],
      ["html", "<script>let a = '</b>';</script><p class=\"x\">text</p>"],
      ["python", "def f(a):\n    '''doc'''\n    return a + 1"],
      ["diff", "- one\n+ two\n"],
      ["json", '{"a": [1, true, null]}'],
      ["console", "$ echo 'one'\none\n"],
      ["scss", "$a: 1px; // one\n.b { &:hover { width: $a; } }"],
      ["vue", "<template><p>{{ a }}</p></template><script>let a = 1;</script>"],
      ["lua", "local a = 1 -- one"],
      ["makefile", "all: a.o\n\tcc $<"],
      ["cmake", 'project(shop)\nset(A "one") # one'],
      ["gradle", "plugins { id 'java' } // one\ndef a = 1"],
      ["groovy", "def a = 1 // one"],
      ["less", "@a: 1px; // one\n.b { &:hover { width: @a; } }"],
      ["nginx", "server { listen 80; } # one"],
      ["objc", "@interface A : B\n@end // one\nint a = 1;"],
      ["objective-c", "@interface A : B\n@end // one"],
    ];
    for (const [language, code] of samples) {
      const tokens = highlight(language, code);
      assert.ok(tokens !== null && tokens.length > 2, language);
      assert.equal(tokens.map((token) => token.text).join(""), code);
    }
  });
  it("gives the kind of each token", () => {
    assert.deepEqual(highlight("js", "let a = 1; // b"), [
      { kind: "keyword", text: "let" },
      { kind: null, text: " a = " },
      { kind: "number", text: "1" },
      { kind: null, text: "; " },
      { kind: "comment", text: "// b" },
    ]);
  });
  it("does not highlight unknown languages and very long code", () => {
    assert.equal(highlight("brainfuck", "+"), null);
    assert.equal(highlight("constructor", "+"), null);
    assert.equal(highlight("js", "a".repeat(60_000)), null);
  });
  it("highlights long code like short code, for each alias of its language", () => {
    const lines = `const a = 1; // one\n${"/* two\n".repeat(20)}*/ let b = \`c\n\${d}\`;\n`;
    const once = highlight("ts", lines);
    assert.ok(once !== null && lines.length < 1_000);
    const each = kindOfEach(once);
    for (const name of ["ts", "typescript", "TS"]) {
      const tokens = highlight(name, lines.repeat(30));
      assert.deepEqual(kindOfEach(tokens), Array.from({ length: 30 }, () => each).flat());
    }
  });
  it("splits no surrogate pair of a long line", () => {
    const tokens = highlight("js", `a = "b${"😀".repeat(3_000)}";`);
    assert.deepEqual(
      tokens?.map(({ text }) => /[\ud800-\udfff]/u.test(text)),
      [false, false, false],
    );
  });
  describe("takes linear time for text that a grammar would rescan from each character", () => {
    const check = (language: string, unit: string): void => {
      it(`${language}: ${JSON.stringify(unit)}`, () => {
        assertLinearTime((code) => highlight(language, code), { unit, longestUnits: 49_000 });
        const code = unit.repeat(1_000);
        const tokens = highlight(language, code);
        if (tokens !== null) assert.equal(tokens.map(({ text }) => text).join(""), code);
      });
    };
    check("csharp", "word ");
    check("csharp", "aclass ");
    check("groovy", "0f");
    check("ini", "::");
    check("java", "a.");
    check("markdown", "[");
    check("perl", "0f");
    check("powershell", "\\");
  });
});

/** Kind of each UTF-16 code unit. */
function kindOfEach(tokens: readonly CodeToken[] | null): readonly (CodeTokenKind | null)[] {
  assert.ok(tokens !== null);
  return tokens.flatMap(({ kind, text }) => Array.from({ length: text.length }, () => kind));
}
