/** Matrices, cases and lines that are aligned. */
import { element, leaf, type MathNode, row } from "./mathTree.ts";
import type { Cells, TexReader } from "./texReader.ts";

/** How an environment is drawn. */
interface Environment {
  readonly open?: string;
  readonly close?: string;
  /** Of each column, the last for all behind it: l, c or r; of pairs, "rl" again and again. */
  readonly columns: string;
  /** As large as a formula of its own. */
  readonly isDisplayed?: true;
  /** Words behind the name that say how many columns there are. */
  readonly hasColumns?: true;
}

const matrix = (open = "", close = ""): Environment => ({ open, close, columns: "c" });
const aligned: Environment = { columns: "rl", isDisplayed: true };
const gathered: Environment = { columns: "c", isDisplayed: true };

const environments: ReadonlyMap<string, Environment> = new Map([
  ["matrix", matrix()],
  ["smallmatrix", matrix()],
  ["pmatrix", matrix("(", ")")],
  ["bmatrix", matrix("[", "]")],
  ["Bmatrix", matrix("{", "}")],
  ["vmatrix", matrix("|", "|")],
  ["Vmatrix", matrix("‖", "‖")],
  ["cases", { open: "{", columns: "l" }],
  ["dcases", { open: "{", columns: "l", isDisplayed: true }],
  ["rcases", { close: "}", columns: "l" }],
  ["array", { columns: "", hasColumns: true }],
  ["aligned", aligned],
  ["align", aligned],
  ["align*", aligned],
  ["split", aligned],
  ["eqnarray", { columns: "rcl", isDisplayed: true }],
  ["eqnarray*", { columns: "rcl", isDisplayed: true }],
  ["alignedat", { ...aligned, hasColumns: true }],
  ["alignat", { ...aligned, hasColumns: true }],
  ["alignat*", { ...aligned, hasColumns: true }],
  ["gathered", gathered],
  ["gather", gathered],
  ["gather*", gathered],
  ["multline", gathered],
  ["multline*", gathered],
  ["equation", gathered],
  ["equation*", gathered],
]);

/** Reads what follows "\begin", with its end. */
export function readEnvironment(reader: TexReader): MathNode {
  const name = reader.cursor.text();
  const environment = environments.get(name);
  if (environment === undefined) {
    reader.fail();
    return row([]);
  }
  const { open = "", close = "", isDisplayed, hasColumns } = environment;
  const given = hasColumns === true ? reader.cursor.text().replace(/[^lcr]/g, "") : "";
  const cells = reader.cells((kind, text) => kind === "command" && text === "end");
  if (!reader.cursor.take("command", "end") || reader.cursor.text() !== name) reader.fail();
  const table = tableOf(cells, environment.columns === "" ? given || "c" : environment.columns, isDisplayed === true);
  if (open === "" && close === "") return table;
  return row([fence(open, "prefix"), table, fence(close, "postfix")]);
}

/** Cells as a table; a single one stays what it is. */
export function tableOf(cells: Cells, columns: string, isDisplayed: boolean): MathNode {
  const [first] = cells;
  if (cells.length === 1 && first?.length === 1 && first[0] !== undefined && isDisplayed) return row(first[0]);
  const rows = cells.map((one) => {
    const made = one.map((content, index) => element("mtd", content, { class: classOf(columns, index) }));
    return element("mtr", made);
  });
  const isPaired = columns === "rl" || columns === "rcl";
  return element("mtable", rows, {
    ...(isDisplayed ? { displaystyle: "true" } : {}),
    ...(isPaired ? { class: "math-paired" } : {}),
  });
}

/** A sign at the side that is as high as what it stands beside. */
export function fence(sign: string, form: "prefix" | "postfix"): MathNode {
  return leaf("mo", sign, { fence: "true", form, stretchy: "true" });
}

function classOf(columns: string, index: number): string {
  const column = columns === "rl" ? columns[index % 2] : (columns[index] ?? columns.at(-1));
  return column === "l" ? "math-left" : column === "r" ? "math-right" : "math-center";
}
