/** Edits of a text, and the diff that people read before they accept one. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { applyEdits, changedRange, writesRedactions } from "../../../../src/host/tools/edit/applyEdits.ts";
import { lineDiff } from "../../../../src/host/tools/edit/lineDiff.ts";

type Edits = readonly (readonly [oldText: string, newText: string])[];

function apply(text: string, edits: Edits): string {
  const applied = applyEdits(
    text,
    edits.map(([oldText, newText]) => ({ oldText, newText })),
  );
  return applied.ok ? applied.value : applied.error.code;
}

describe("applyEdits", () => {
  const check = (title: string, text: string, edits: Edits, expected: string): void => {
    it(title, () => {
      assert.equal(apply(text, edits), expected);
    });
  };
  check("replaces what is there once", "a\nb\nc\n", [["b", "B"]], "a\nB\nc\n");
  check("replaces several, each in what the one before left", "a\nb\n", [["a", "x"], ["x\nb", "y"]], "y\n"); // prettier-ignore
  check("takes away", "a\nb\nc\n", [["b\n", ""]], "a\nc\n");
  check("takes the line ends of Windows for line ends", "a\nb\n", [["a\r\nb", "x\r\ny"]], "x\ny\n");
  check("takes dollar signs as they are", "a b", [["b", "$& $1 $$"]], "a $& $1 $$");
  check("refuses what is not there", "a\nb\n", [["x", "y"]], "NOT_FOUND");
  check("refuses what is there twice", "a b a", [["a", "x"]], "INVALID_INPUT");
  check("refuses what overlaps itself", "aaa", [["aa", "x"]], "INVALID_INPUT");
  check("refuses all when one does not fit", "a b", [["a", "x"], ["z", "y"]], "NOT_FOUND"); // prettier-ignore

  it("says what may be wrong without showing the file", () => {
    const hint = (text: string, oldText: string): string => {
      const applied = applyEdits(text, [{ oldText, newText: "" }]);
      return applied.ok ? "" : applied.error.text;
    };
    assert.match(hint("if (a) {\n\treturn 1;\n}", "if (a) {\n    return 1;"), /1 line like its first one \(line 1\)/);
    assert.match(hint("key = AKIA…", "key = [redacted: AWS key]"), /stands for a secret/);
    assert.match(hint("a\u200bb", "a[U+200B]b"), /invisible character/);
    assert.match(hint("secret = 1", "12\tsecret"), /without the line numbers/);
  });
  it("notices when a mark would be written in place of a secret", () => {
    assert.equal(writesRedactions("key = abc", "key = [redacted: AWS key]"), true);
    assert.equal(writesRedactions("log('[redacted: x]')", "log('[redacted: y]')"), false);
  });
});

describe("changedStretch", () => {
  it("is all that has to be replaced, for any two texts", () => {
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

/** Applies a unified diff, checking every line that it names. */
function patch(before: string, diff: string): string {
  const plain = (text: string): string[] => (text === "" ? [] : text.split("\n"));
  const old = plain(before.endsWith("\n") ? before.slice(0, -1) : before);
  const result: string[] = [];
  let at = 0;
  let lastKind = "";
  let endsInLine = !before.endsWith("\n") && before !== "";
  for (const line of plain(diff)) {
    const hunk = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line);
    if (hunk !== null) {
      result.push(...old.slice(at, Number(hunk[1]) - 1));
      at = Number(hunk[1]) - 1;
      assert.equal(result.length, Number(hunk[3]) - 1, "the new side begins where it says");
    } else if (line.startsWith("+")) {
      result.push(line.slice(1));
      endsInLine = false;
    } else if (line.startsWith("\\")) endsInLine = lastKind !== "-";
    else {
      assert.equal(line.slice(1), old[at++]);
      if (line.startsWith(" ")) result.push(line.slice(1));
      endsInLine = false;
    }
    lastKind = line.charAt(0);
  }
  endsInLine = at < old.length ? !before.endsWith("\n") : endsInLine;
  const lines = [...result, ...old.slice(at)];
  return lines.length === 0 ? "" : lines.join("\n") + (endsInLine ? "" : "\n");
}

describe("lineDiff", () => {
  it("shows three lines around a change, and no more", () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("");
    const after = before.replace("line 10\n", "ten\n").replace("line 25\n", "");
    assert.deepEqual(lineDiff(before, after), {
      text: [
        ...["@@ -7,7 +7,7 @@", " line 7", " line 8", " line 9", "-line 10", "+ten", " line 11", " line 12", " line 13"],
        ...["@@ -22,7 +22,6 @@", " line 22", " line 23", " line 24", "-line 25", " line 26", " line 27", " line 28"],
      ].join("\n"),
      added: 1,
      removed: 2,
    });
  });
  it("shows a new file, an emptied one, and a missing line end", () => {
    assert.deepEqual(lineDiff("", "a\n"), { text: "@@ -1,0 +1,1 @@\n+a", added: 1, removed: 0 });
    assert.deepEqual(lineDiff("a\n", ""), { text: "@@ -1,1 +1,0 @@\n-a", added: 0, removed: 1 });
    assert.deepEqual(lineDiff("a\n", "a"), {
      text: "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file",
      added: 1,
      removed: 1,
    });
    assert.deepEqual(lineDiff("a\n", "a\n"), { text: "", added: 0, removed: 0 });
  });
  it("leads from the one text to the other, for any two", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });
    const text = fc
      .tuple(lines, fc.boolean())
      .map(([all, isOpen]) => all.join("\n") + (isOpen || all.length === 0 ? "" : "\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { text: diff, added, removed } = lineDiff(before, after);
        assert.equal(patch(before, diff), after, JSON.stringify([before, after, diff]));
        const of = (kind: string): number => diff.split("\n").filter((line) => line.startsWith(kind)).length;
        assert.deepEqual([of("+"), of("-")], [added, removed]);
      }),
      { seed: 5, numRuns: 5_000 },
    );
  });
  it("finds the smallest difference where that is near", () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}`);
    const changed = lines.flatMap((line, index) => (index % 100 === 50 ? [`new ${index}`] : [line]));
    const { added, removed } = lineDiff(lines.join("\n"), changed.join("\n"));
    assert.deepEqual([added, removed], [20, 20]);
  });
});
