import assert from "node:assert/strict";
import fc from "fast-check";
import { changedRange, withChanges } from "../../../../src/adapters/diff/textChanges.ts";
import { changesOf, writesRedactions } from "../../../../src/host/tools/edit/applyEdits.ts";

type Edits = readonly (readonly [oldText: string, newText: string])[];

function apply(text: string, edits: Edits): string {
  const applied = changesOf(
    text,
    edits.map(([oldText, newText]) => ({ oldText, newText })),
  );
  return applied.ok ? withChanges(text, applied.value) : applied.error.code;
}

describe("changesOf", () => {
  const check = (title: string, text: string, edits: Edits, expected: string): void => {
    it(title, () => {
      assert.equal(apply(text, edits), expected);
    });
  };
  check("replaces text that occurs once", "a\nb\nc\n", [["b", "B"]], "a\nB\nc\n");
  check("applies several edits in order, each to the result of the previous one", "a\nb\n", [["a", "x"], ["x\nb", "y"]], "y\n"); // prettier-ignore
  check("deletes text when the new text is empty", "a\nb\nc\n", [["b\n", ""]], "a\nc\n");
  check("treats CRLF in an edit as a line end of the file", "a\nb\n", [["a\r\nb", "x\r\ny"]], "x\ny\n");
  check("inserts dollar signs literally", "a b", [["b", "$& $1 $$"]], "a $& $1 $$");
  check("refuses text that is not in the file", "a\nb\n", [["x", "y"]], "NOT_FOUND");
  check("refuses text that occurs twice", "a b a", [["a", "x"]], "INVALID_INPUT");
  check("refuses text whose occurrences overlap", "aaa", [["aa", "x"]], "INVALID_INPUT");
  check("refuses all edits when one does not match", "a b", [["a", "x"], ["z", "y"]], "NOT_FOUND"); // prettier-ignore

  const NBSP = "\u00a0";
  check("§2 finds a no-break space for a blank", `a${NBSP}b = 1\n`, [["a b = 1", "a b = 2"]], `a${NBSP}b = 2\n`);
  check("§2 finds curly quotes for straight ones", "say “hello world” now’s", [['say "hello world" now\'s', 'say "hello there" now\'s']], "say “hello there” now’s"); // prettier-ignore
  check("§2 finds a decomposed letter for a composed one", "cafe\u0301 = 1", [["café = 1", "café = 2"]], "cafe\u0301 = 2"); // prettier-ignore
  check("§2 finds a composed letter for a decomposed one", "café = 1", [["cafe\u0301 = 1", "cafe\u0301 = 2"]], "café = 2"); // prettier-ignore
  check("§2 finds decomposed Hangul", "학점".normalize("NFD") + " = 1", [["학점 = 1", "학점 = 2"]], "학점".normalize("NFD") + " = 2"); // prettier-ignore
  check("§2 finds dashes and dots", "a — b… c", [["a - b... c", "a - b... d"]], "a — b… d");
  check("§2 replaces a character that was folded as a whole", "wait… now", [["wait... now", "wait. now"]], "wait. now"); // prettier-ignore
  check("§2 finds a wide form", "ａ（ｂ）=1", [["a(b)=1", "a(b)=2"]], "ａ（ｂ）=2");
  check("§2 keeps a character without width outside of the change", "foo\u200b bar", [["foo bar", "foo baz"]], "foo\u200b baz"); // prettier-ignore
  check("§2 finds lines that end in blanks", "a = 1;  \nb = 2;\t\nc", [["a = 1;\nb = 2;\n", "a = 1;\nb = 3;\n"]], "a = 1;  \nb = 3;\t\nc"); // prettier-ignore
  check("§2 finds lines whose blanks at the end the file lacks", "a = 1;\nb = 2;\n", [["a = 1; \nb = 2;", "a = 1; \nb = 3;"]], "a = 1;\nb = 3;\n"); // prettier-ignore
  check("§2 takes the text as it is written before one that looks alike", `a b\na${NBSP}b\n`, [["a b", "c"]], `c\na${NBSP}b\n`); // prettier-ignore
  check("§2 applies a later edit to the result of one that looked alike", `a${NBSP}b c`, [["a b", "x y"], ["y c", "z"]], `x${NBSP}z`); // prettier-ignore
  check("§2 refuses what looks like several places", `a${NBSP}b\na\u2007b\n`, [["a b", "c"]], "INVALID_INPUT");
  check("§2 refuses another word", "cafe = 1", [["café = 1", "x"]], "NOT_FOUND");

  it("§2 changes one place of a text that looks alike, and nothing else of it", () => {
    const alike = [["a"], ["\u00e9", "e\u0301"], [" ", "\u00a0", "\u3000"], ['"', "\u201c"], ["-", "\u2014"], ["\u2026", "..."], ["\ud55c", "\u1112\u1161\u11ab"], ["\ud83d\ude80"]]; // prettier-ignore
    const pair = fc
      .constantFrom(...alike)
      .chain((same) => fc.tuple(fc.constantFrom(...same), fc.constantFrom(...same)));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 3, maxLength: 20 }), fc.nat(20), (pairs, place) => {
        const at = 1 + (place % (pairs.length - 1));
        const [file, written] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
        const withMark = (parts: readonly string[]): string => parts.toSpliced(at, 0, "X").join("");
        const [before, oldText] = [`<${file.join("")}>`, `<${written.join("")}>`];
        assert.equal(apply(before, [[oldText, `<${withMark(written)}>`]]), `<${withMark(file)}>`);
      }),
      { seed: 5, numRuns: 3_000 },
    );
  });

  const answer = (title: string, text: string, oldText: string, expected: string): void => {
    it(title, () => {
      const applied = changesOf(text, [{ oldText, newText: "x" }]);
      assert.deepEqual(applied.ok ? "found" : applied.error.text, expected);
    });
  };
  answer(
    "§2 names the characters of several places that look alike",
    `1\na${NBSP}b\na\u2007b\n`,
    "a b",
    "The old text is in the file 2 times with other characters that look alike (line 2 has U+00A0 where the old text " +
      "has U+0020): give more of the lines around it, so that it fits one place.",
  );
  answer(
    "§2 names the character by which a line is another one",
    "first\nconst n\u0430me = 1;\n",
    "const name = 1;",
    "The old text is not in the file. Line 2 of the file has U+0430 where it has U+0061: copy the line as it is.",
  );

  const key = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx";
  const unseen = "The old text is not in the file. Read the file again, and copy the text without the line numbers.";
  answer("S4 says the same of a right guess of a secret", `key = "${key}"\n`, `"${key.slice(0, 12)}`, unseen);
  answer("S4 and of a wrong one", `key = "${key}"\n`, `"sk-ant-api04`, unseen);
  answer("S4 and of one that is a character away", `key = "${key}"\n`, `key = "${key.slice(0, -1)}y"`, unseen);
  answer("S4 and of the line of a private key", `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PRIVATE KEY-----\n`, "MIIEvQ", unseen); // prettier-ignore
  check("S4 changes what stands beside a secret", `key = "${key}" # old\n`, [["# old", "# new"]], `key = "${key}" # new\n`); // prettier-ignore

  it("hints at the likely mistake without showing the file", () => {
    const hint = (text: string, oldText: string): string => {
      const applied = changesOf(text, [{ oldText, newText: "" }]);
      return applied.ok ? "" : applied.error.text;
    };
    assert.match(hint("if (a) {\n\treturn 1;\n}", "if (a) {\n    return 1;"), /1 line like its first one \(line 1\)/);
    assert.match(hint("key = AKIA…", "key = [redacted: AWS key]"), /stands for a secret/);
    assert.match(hint("a\u200bb", "a[U+200B]b"), /invisible character/);
    assert.match(hint("secret = 1", "12\tsecret"), /without the line numbers/);
  });
  it("detects a redaction mark that would overwrite a secret", () => {
    assert.equal(writesRedactions("key = abc", "key = [redacted: AWS key]"), true);
    assert.equal(writesRedactions("log('[redacted: x]')", "log('[redacted: y]')"), false);
  });
});

describe("changedRange", () => {
  it("covers every difference between any two texts", () => {
    const text = fc.array(fc.constantFrom("a", "b", "\n", "é", "😀"), { maxLength: 30 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { start, end, text: middle } = changedRange(before, after);
        assert.equal(before.slice(0, start) + middle + before.slice(end), after);
        assert.ok(start <= end && end <= before.length);
      }),
      { seed: 5, numRuns: 5_000 },
    );
  });
});
