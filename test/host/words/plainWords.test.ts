import assert from "node:assert/strict";
import { plainWords } from "../../../src/host/words/plainWords.ts";

const check = (markdown: string, expected: string, most = 120): void => {
  assert.equal(plainWords(markdown, most), expected, markdown);
};

describe("plainWords", () => {
  it("removes Markdown syntax", () => {
    check(
      "**No model** is *connected*, so ~~none~~ __nothing__ is _written_.",
      "No model is connected, so none nothing is written.",
    );
    check("***Both*** and `code`, and ``a `tick` ``", "Both and code, and a `tick`");
    check(
      "## Heading\n\nWords\n> quoted\n- one\n* two\n1. three\n- [x] done",
      "Heading Words quoted one two three done",
    );
    check("One\n\n---\n\nTwo\n===\nThree\n* * *", "One Two Three");
    check(
      'See [the notes](https://example.com/a?b=1 "Notes") and ![a diagram](x.png), <https://example.com>.',
      "See the notes and a diagram, https://example.com.",
    );
    check("Not \\*emphasis\\*, nor \\# this", "Not *emphasis*, nor # this");
  });

  it("preserves the text of code without its fence", () => {
    check(
      "Like so:\n\n```ts\nconst a = b ** c ** d;\n// # no heading | no table\n```\n\nDone.",
      "Like so: const a = b ** c ** d; // # no heading | no table Done.",
    );
    check("~~~\n- x\n~~~", "- x");
    check("```ts\nopen", "open");
  });

  it("joins the cells of a table in order", () => {
    check("| Setting | **Default** |\n|:--|--:|\n| `a_b_c` | 3 |\n", "Setting, Default a_b_c, 3");
    check("| a |\n|---|\n| b |", "a b");
  });

  it("preserves characters that are not Markdown syntax", () => {
    for (const text of [
      "2 * 3 * 4 and a*b*c",
      "def f(*args, **kwargs) and snake_case_name and __init__.py_",
      "3 < 4 > 2, a | b, #tag, -1 and 5.5",
      "[not a link] (there), a[0](1)".replace("a[0](1)", "a[0]"),
      "`open and **open",
      "C# and F#",
    ])
      check(text, text);
  });

  it("truncates long text, in less than 500 ms for texts of up to 1.2 MB", () => {
    check("word ".repeat(100), `${"word ".repeat(4).trim()}…`, 19);
    check("**bold** ".repeat(10), "bold bold bold bold…", 20);
    check(`${" ".repeat(100)}late`, "…", 10);
    const started = performance.now();
    for (const text of ["*a ", "_a ", "[", "`", "|", "> ", "**", "\\", "- "]) plainWords(text.repeat(400_000), 120);
    assert.ok(performance.now() - started < 500, `${performance.now() - started} ms`);
  });
});
