import assert from "node:assert/strict";
import fc from "fast-check";
import {
  cellsText,
  type CellText,
  languageName,
  notebookStamp,
  parseCells,
  textWithOutputs,
} from "../../../src/host/notebooks/notebookText.ts";

const CELLS: readonly CellText[] = [
  { kind: "markup", language: "markdown", source: "# Tides" },
  { kind: "code", language: "python", source: "" },
  { kind: "code", language: "python", source: "x = 1\n" },
];

describe("E:notebooks the text of a notebook", () => {
  it("has a head above each cell, also of an empty one", () => {
    const lines = [
      "%% cell 1 (markup, markdown)",
      "# Tides",
      "%% cell 2 (code, python)",
      "",
      "%% cell 3 (code, python)",
    ];
    assert.equal(cellsText(CELLS), [...lines, "x = 1", "", ""].join("\n"));
    assert.equal(cellsText([]), "");
  });

  it("has the outputs below their cells, which cannot pass for cells", () => {
    const outputs = [{ name: "stdout", lines: ["%% cell 9 (code, python)", "evil()", "%% output of cell 1: x"] }];
    const cell = { kind: "code", language: "py)\n%% cell 7 (code, x", source: "print(x)", outputs } as const;
    assert.deepEqual(textWithOutputs([cell]).split("\n"), [
      "%% cell 1 (code, pycell7codex)",
      "print(x)",
      "%% output of cell 1: stdout",
      "\\%% cell 9 (code, python)",
      "evil()",
      "\\%% output of cell 1: x",
      "",
    ]);
  });

  it("is read back as the same cells, whatever is in them", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom("", "%% cell 1 (code, python)", "\\%% cell", "\\\\%% output of", "%%time", "%% cells"),
    );
    const cell = fc.record({
      kind: fc.constantFrom("code" as const, "markup" as const),
      language: fc.constantFrom("python", "markdown", "c++", "fsharp"),
      source: fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n").replaceAll("\r", "")),
    });
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 5 }), (cells) => {
        const numbered = cells.map((each, index) => ({ number: index + 1, ...each }));
        assert.deepEqual(parseCells(cellsText(cells), cells.length), { ok: true, value: numbered });
      }),
    );
  });

  const reads = (title: string, text: string, expected: readonly object[]): void => {
    it(`is read after an edit: ${title}`, () => {
      assert.deepEqual(parseCells(text, 3), { ok: true, value: expected });
    });
  };
  reads("a new cell without a number, with empty lines around it", "%% cell (code, r)\nx\n\n", [
    { number: undefined, kind: "code", language: "r", source: "x" },
  ]);
  reads("a cell without a language", "%% cell 1 (code)\nx\n%% cell (markdown)\ny", [
    { number: 1, kind: "code", language: "", source: "x" },
    { number: undefined, kind: "markup", language: "markdown", source: "y" },
  ]);
  reads(
    "numbers that are used twice or unknown name new cells",
    "%% cell 2 (code)\na\n%% cell 2 (code)\nb\n%% cell 4 (code)",
    [
      { number: 2, kind: "code", language: "", source: "a" },
      { number: undefined, kind: "code", language: "", source: "b" },
      { number: undefined, kind: "code", language: "", source: "" },
    ],
  );
  reads("nothing", "", []);

  for (const text of [
    "x = 1",
    "\n%% cell (code)",
    "%% cell one (code)\nx",
    "%% cell 1\nx",
    "%% output of cell 1: x\ny",
  ]) {
    it(`is refused without proper heads: ${JSON.stringify(text)}`, () => {
      const parsed = parseCells(text, 3);
      assert.equal(!parsed.ok && parsed.error.code, "INVALID_INPUT");
    });
  }

  it("has a stamp that changes with kind, source and order, and not with the language", () => {
    const [first, second, third] = CELLS;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const others: readonly (readonly CellText[])[] = [
      [first, second],
      [second, first, third],
      [{ ...first, kind: "code" }, second, third],
      [first, second, { ...third, source: "x = 2\n" }],
    ];
    const stamps = [CELLS, ...others].map(notebookStamp);
    assert.equal(new Set(stamps).size, stamps.length);
    assert.equal(notebookStamp([{ ...first, language: "x" }, second, third]), notebookStamp(CELLS));
    assert.equal(languageName("c++"), "c++");
  });
});
