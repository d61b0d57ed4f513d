import assert from "node:assert/strict";
import fc from "fast-check";
import { lineDiff } from "../../../src/adapters/diff/lineDiff.ts";

/** Applies a unified diff and checks every context and removed line. */
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
      const [oldStart, newStart] = [startOf(hunk[1], hunk[2]), startOf(hunk[3], hunk[4])];
      result.push(...old.slice(at, oldStart));
      at = oldStart;
      assert.equal(result.length, newStart, "the new side begins where it says");
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

/** Number of lines before a hunk. Its header counts from 1; a side with no lines names the line before instead. */
function startOf(line: string | undefined, count: string | undefined): number {
  return Number(line) - (count === "0" ? 0 : 1);
}

describe("lineDiff", () => {
  it("shows three lines of context around each change", () => {
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
  it("shows a new file, an emptied file and a missing final newline", () => {
    assert.deepEqual(lineDiff("", "a\n"), { text: "@@ -0,0 +1,1 @@\n+a", added: 1, removed: 0 });
    assert.deepEqual(lineDiff("a\n", ""), { text: "@@ -1,1 +0,0 @@\n-a", added: 0, removed: 1 });
    assert.deepEqual(lineDiff("a\n", "a"), {
      text: "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file",
      added: 1,
      removed: 1,
    });
    assert.deepEqual(lineDiff("a\n", "a\n"), { text: "", added: 0, removed: 0 });
  });
  it("turns the first text into the second, for any two texts", () => {
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
  it("shows a change that is too large for a minimal diff as one hunk", () => {
    const lines = (word: string) => Array.from({ length: 150 }, (_, index) => `${word} ${index}\n`).join("");
    const before = `a\nb\nc\nd\n${lines("old")}e\nf\ng\nh`;
    const after = `a\nb\nc\nd\n${lines("new")}e\nf\ng\nh`;
    const { text, added, removed } = lineDiff(before, after);
    assert.deepEqual([added, removed], [150, 150]);
    assert.equal(text.split("\n")[0], "@@ -2,156 +2,156 @@");
    assert.equal(patch(before, text), after);
    assert.equal(patch(lines("old"), lineDiff(lines("old"), lines("new")).text), lines("new"));
  });
  it("finds the minimal diff when the changes are few", () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}`);
    const changed = lines.flatMap((line, index) => (index % 100 === 50 ? [`new ${index}`] : [line]));
    const { added, removed } = lineDiff(lines.join("\n"), changed.join("\n"));
    assert.deepEqual([added, removed], [20, 20]);
  });
});
