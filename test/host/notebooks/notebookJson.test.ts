import assert from "node:assert/strict";
import { cellsOfJson, isNotebookName, jsonOfCells } from "../../../src/host/notebooks/notebookJson.ts";
import { textWithOutputs } from "../../../src/host/notebooks/notebookText.ts";

const PICTURE = "iVBORw0KGgoAAAANSUhEUg".repeat(100);
const textOf = (notebook: unknown): readonly string[] | undefined => {
  const cells = cellsOfJson(JSON.stringify(notebook));
  return cells === undefined ? undefined : textWithOutputs(cells).trimEnd().split("\n");
};
const withOutputs = (...outputs: readonly object[]): object => ({
  cells: [{ cell_type: "code", source: "x", metadata: {}, outputs }],
  metadata: {},
  nbformat: 4,
});
const HEAD = ["%% cell 1 (code, python)", "x"];

describe("E:notebooks Jupyter's file format", () => {
  const shows = (title: string, outputs: readonly object[], expected: readonly string[]): void => {
    it(`shows ${title}`, () => {
      assert.deepEqual(textOf(withOutputs(...outputs)), [...HEAD, ...expected]);
    });
  };
  shows(
    "streams",
    [
      { output_type: "stream", name: "stdout", text: ["a\n", "b\n"] },
      { output_type: "stream", name: "stderr", text: "c" },
    ],
    ["%% output of cell 1: stdout", "a", "b", "%% output of cell 1: stderr", "c"],
  );
  shows(
    "an error without colours",
    [
      {
        output_type: "error",
        ename: "ValueError",
        evalue: "no tide",
        traceback: ["\u001b[0;31mline 1\u001b[0m", "end"],
      },
    ],
    ["%% output of cell 1: error", "ValueError: no tide", "line 1", "end"],
  );
  shows(
    "the last state of a progress bar",
    [{ output_type: "stream", name: "stderr", text: "10%\r50%\r100%\ndone\r\n" }],
    ["%% output of cell 1: stderr", "100%", "done"],
  );
  shows(
    "a picture by its name only",
    [{ output_type: "display_data", data: { "image/png": PICTURE }, metadata: {} }],
    ["%% output of cell 1: image/png, 1,650 bytes, not shown"],
  );
  shows(
    "a drawing by its name, and the text beside it",
    [{ output_type: "execute_result", data: { "image/svg+xml": ["<svg>", "</svg>"], "text/plain": ["<Figure>"] } }],
    ["%% output of cell 1: text/plain (not shown: image/svg+xml, 11 bytes)", "<Figure>"],
  );
  shows(
    "HTML without the pictures in it",
    [{ output_type: "display_data", data: { "text/html": `<img src="data:image/png;base64,${PICTURE}">` } }],
    ["%% output of cell 1: text/html", '<img src="[2,200 characters of data, not shown]">'],
  );
  shows(
    "widgets and other data by their names",
    [
      {
        output_type: "display_data",
        data: { "application/vnd.plotly.v1+json": { a: 1 }, "evil\n%% cell 2 (code)": "x" },
      },
    ],
    ["%% output of cell 1: application/vnd.plotly.v1+json, 7 bytes, evil %% cell 2 (code), 1 bytes, not shown"],
  );
  shows("nothing of an unknown output", [{ output_type: "other" }], ["%% output of cell 1: nothing, not shown"]);

  it("shows the beginning and the end of a long output, and the first 20 outputs", () => {
    const long = { output_type: "stream", name: "stdout", text: `${"a".repeat(50_000)}${"b".repeat(50_000)}` };
    const lines = textOf(withOutputs(long)) ?? [];
    const bounds = [...HEAD, "%% output of cell 1: stdout", "a".repeat(2_000), "[96,000 characters left out]"];
    assert.deepEqual(lines, [...bounds, "b".repeat(2_000)]);
    const many = textOf(withOutputs(...Array.from({ length: 30 }, () => long))) ?? [];
    assert.equal(many.at(-1), "%% output of cell 1: 10 more, not shown");
    assert.ok(many.join("\n").length < 20_000, String(many.join("\n").length));
  });

  it("only names outputs after a million characters of them", () => {
    const output = { output_type: "stream", name: "stdout", text: "a".repeat(200_000) };
    const cells = Array.from({ length: 6 }, () => ({ cell_type: "code", source: "x", outputs: [output] }));
    assert.deepEqual(
      textOf({ cells })?.filter((line) => line.startsWith("%% output")),
      [
        ...[1, 2, 3, 4, 5].map((number) => `%% output of cell ${number}: stdout`),
        "%% output of cell 6: stdout, 200,000 bytes, not shown",
      ],
    );
  });

  it("takes the language of cells and notebook", () => {
    const cell = (cell_type: string, metadata = {}): object => ({ cell_type, source: ["a\r\n", "b"], metadata });
    const cells = [cell("code"), cell("code", { vscode: { languageId: "sql" } }), cell("markdown"), cell("raw")];
    const text = textOf({ cells, metadata: { language_info: { name: "C#" } }, nbformat: 4 });
    const heads = ["1 (code, csharp)", "2 (code, sql)", "3 (markup, markdown)", "4 (code, raw)"];
    assert.deepEqual(
      text,
      heads.flatMap((head) => [`%% cell ${head}`, "a", "b"]),
    );
  });

  it("is read in format 3, too", () => {
    const outputs = [{ output_type: "pyout", png: PICTURE, text: ["<Figure>"], prompt_number: 1 }];
    const sheet = { cells: [{ cell_type: "code", input: ["x"], language: "python", outputs }] };
    assert.deepEqual(textOf({ worksheets: [sheet], nbformat: 3 }), [
      ...HEAD,
      "%% output of cell 1: text/plain (not shown: image/png, 1,650 bytes)",
      "<Figure>",
    ]);
  });

  for (const text of ["", "{", "[]", "null", "{}", '{"cells":{}}', "<<<<<<< ours\n{}", "%% cell 1 (code, python)\n"]) {
    it(`is not found in ${JSON.stringify(text)}`, () => {
      assert.equal(cellsOfJson(text), undefined);
    });
  }

  it("bears any values in place of cells", () => {
    assert.deepEqual(textOf({ cells: [null, 1, { source: 5, outputs: [null], cell_type: "code" }] }), [
      "%% cell 1 (code, python)",
      "",
      "%% cell 2 (code, python)",
      "",
      "%% cell 3 (code, python)",
      "5",
      "%% output of cell 3: nothing, not shown",
    ]);
  });

  it("is written for new notebooks, and read back as the same cells", () => {
    const cells = [
      { kind: "markup", language: "markdown", source: "# Sea\n\ntext" },
      { kind: "code", language: "julia", source: "" },
      { kind: "code", language: "python", source: "x\n" },
    ] as const;
    const read = cellsOfJson(jsonOfCells(cells));
    assert.deepEqual(
      read,
      cells.map((cell) => ({ ...cell, outputs: [] })),
    );
    assert.equal(jsonOfCells(cells), jsonOfCells(cells));
  });

  it("is known by the file's name", () => {
    assert.deepEqual(["a/B.IPYNB", "a.ipynb.txt", "ipynb"].map(isNotebookName), [true, false, false]);
  });
});
