import assert from "node:assert/strict";
import { highlight } from "../../src/webview/highlight.ts";

describe("highlight", () => {
  it("gives tokens that are the code again", () => {
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
  it("names the kinds", () => {
    assert.deepEqual(highlight("js", "let a = 1; // b"), [
      { kind: "keyword", text: "let" },
      { kind: null, text: " a = " },
      { kind: "number", text: "1" },
      { kind: null, text: "; " },
      { kind: "comment", text: "// b" },
    ]);
  });
  it("leaves what it does not know, and what is very long", () => {
    assert.equal(highlight("brainfuck", "+"), null);
    assert.equal(highlight("constructor", "+"), null);
    assert.equal(highlight("js", "a".repeat(60_000)), null);
  });
  it("leaves a dump, and much room: some languages would look at each character of it from each other", () => {
    const words = `const a = "${"0f".repeat(200)}+";\n`.repeat(20);
    assert.ok(highlight("js", words) !== null);
    for (const hostile of ["0f", "a.", "_", " ", "\n", "\n  "]) {
      for (const language of ["groovy", "haskell", "ini", "java", "perl"]) {
        assert.equal(highlight(language, `${words}${hostile.repeat(20_000)};`), null);
      }
    }
  });
});
