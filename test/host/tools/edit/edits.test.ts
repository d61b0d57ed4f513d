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
