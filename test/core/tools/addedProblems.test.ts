import assert from "node:assert/strict";
import fc from "fast-check";
import { addedProblems, type TextProblem } from "../../../src/core/tools/addedProblems.ts";

/** "E:message" begins on the line; `W` is a warning. Lines are those of a text. */
interface Checked {
  readonly text: string;
  readonly problems: readonly TextProblem[];
}

/** Lines of a file, each with the problems on it behind `//!`, separated by commas. */
function checked(...lines: readonly string[]): Checked {
  const parts = lines.map((line) => line.split(" //! "));
  return {
    text: parts.map(([lineText = ""]) => lineText).join("\n"),
    problems: parts.flatMap(([lineText = "", marks]) =>
      (marks?.split(", ") ?? []).map((mark) => problem(mark, lineText)),
    ),
  };
}

function problem(mark: string, lineText: string): TextProblem {
  const [message = "", code = "", source = ""] = mark.slice(2).split("|");
  return { severity: mark.startsWith("E") ? "error" : "warning", message, code, source, lineText };
}

function added(before: Checked, after: Checked): readonly string[] {
  const texts = { before: before.text, after: after.text };
  return addedProblems(before.problems, after.problems, texts).map(
    ({ severity, message, lineText }) => `${severity} ${message} at ${lineText.trim()}`,
  );
}

const cases: readonly {
  readonly title: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly added: readonly string[];
}[] = [
  { title: "nothing in a file without any", before: ["a", "b"], after: ["a", "c"], added: [] },
  { title: "one on a new line", before: ["a"], after: ["a", "b //! E:bad"], added: ["error bad at b"] },
  {
    title: "one on a line that had none",
    before: ["a", "b"],
    after: ["a", "b //! W:odd"],
    added: ["warning odd at b"],
  },
  {
    title: "none that only moved, or is indented otherwise",
    before: ["a //! E:bad", "b //! W:odd"],
    after: ["new", "  a //! E:bad", "", "b //! W:odd"],
    added: [],
  },
  {
    title: "none that stays on a line that is rewritten",
    before: ["let a = b //! E:no b"],
    after: ["const a = b //! E:no b"],
    added: [],
  },
  {
    title: "a second of its kind, where one line is rewritten",
    before: ["let a = b //! E:no b"],
    after: ["const a = b //! E:no b", "const c = b //! E:no b"],
    added: ["error no b at const c = b"],
  },
  {
    title: "one like a solved one, on another line",
    before: ["a //! E:bad", "b"],
    after: ["a", "c //! E:bad"],
    added: ["error bad at c"],
  },
  {
    title: "one like that of a removed line, on a line that was there",
    before: ["a //! E:bad", "b"],
    after: ["b //! E:bad"],
    added: ["error bad at b"],
  },
  {
    title: "equal ones on equal lines by their number",
    before: ["} //! E:bad"],
    after: ["} //! E:bad", "} //! E:bad", "}"],
    added: ["error bad at }"],
  },
  {
    title: "one that is an error now, or has another code or source",
    before: ["a //! W:bad", "b //! E:bad|1|ts", "c //! E:bad|1|ts"],
    after: ["a //! E:bad", "b //! E:bad|2|ts", "c //! E:bad|1|lint"],
    added: ["error bad at a", "error bad at b", "error bad at c"],
  },
  { title: "none of the solved ones", before: ["a //! E:bad, W:odd"], after: ["a //! W:odd"], added: [] },
];

describe("problems that an edit added", () => {
  for (const { title, before, after, added: expected } of cases)
    it(`are ${title}`, () => {
      assert.deepEqual(added(checked(...before), checked(...after)), expected);
    });

  it("are, in a file that it did not change, all that were not there", () => {
    const [old, other] = [problem("E:bad", "a"), problem("E:bad", "b")];
    assert.deepEqual(addedProblems([old], [other]), [other]);
    assert.deepEqual(addedProblems([old, other], [other, old, other]), [other]);
  });

  it("compare lines of any length by their beginnings", () => {
    const line = "x".repeat(1_000_000);
    const many = Array.from({ length: 2_000 }, () => problem("E:bad", line));
    assert.deepEqual(addedProblems(many, many, { before: line, after: `${line}y` }), []);
  });

  it("are none where lines only move, and all of them in a file that had none", () => {
    const line = fc.tuple(fc.constantFrom("a", "b", "  b", "}"), fc.subarray(["E:bad", "W:odd", "E:no b"]));
    const file = fc.array(line, { maxLength: 8 });
    const written = (lines: readonly (readonly [string, readonly string[]])[]): Checked =>
      checked(...lines.map(([text, marks]) => (marks.length === 0 ? text : `${text} //! ${marks.join(", ")}`)));
    fc.assert(
      fc.property(file, fc.integer({ min: 0, max: 8 }), (lines, at) => {
        const whole = written(lines);
        assert.deepEqual(added(whole, written([...lines.slice(at), ["new", []], ...lines.slice(0, at)])), []);
        assert.equal(added(checked(), whole).length, whole.problems.length);
      }),
      { seed: 35, numRuns: 300 },
    );
  });
});
