/**
 * The text of a notebook for models: each cell is a head such as `%% cell 3 (code, python)` and its source below it.
 * The same text is read, searched, edited and shown as a diff; only where it is read do outputs follow their cells.
 */

import { createHash } from "node:crypto";
import { ok, type Result } from "../../core/result.ts";
import { failure, type ToolFailure } from "../tools/toolFailure.ts";

export interface CellText {
  readonly kind: "code" | "markup";
  readonly language: string;
  /** With `\n` as line ends. */
  readonly source: string;
}

export interface CellOutput {
  /** The kind of output, on one line: "stdout", "image/png, 12,345 bytes, not shown". */
  readonly name: string;
  readonly lines: readonly string[];
}

export interface CellWithOutputs extends CellText {
  readonly outputs: readonly CellOutput[];
}

/** A cell of an edited text; `number` is that of the cell whose head it has, `undefined` for a new cell. */
export interface EditedCell extends CellText {
  readonly number: number | undefined;
}

const HEAD = /^%% cell(?: (\d{1,7}))? \((code|markup|markdown)(?:, ([^()]{0,100}))?\)[ \t]*$/;
/** Lines of a source that would be taken for a head get a backslash. */
const LIKE_HEAD = /^\\*%% (?:cell|output)\b/;
const NEEDS_HEADS =
  'A notebook is written as its cells: "%% cell 2 (code, python)" above the source of cell 2, ' +
  '"%% cell (code, python)" or "%% cell (markup)" above a new one. Read it to see its cells.';

/** Without outputs. */
export function cellsText(cells: readonly CellText[]): string {
  return cells.map((cell, index) => `${cellLines(cell, index).join("\n")}\n`).join("");
}

export function textWithOutputs(cells: readonly CellWithOutputs[]): string {
  const lines = cells.flatMap((cell, index) => [
    ...cellLines(cell, index),
    ...cell.outputs.flatMap(({ name, lines: shown }) => [
      `%% output of cell ${index + 1}: ${name}`,
      ...shown.map(escaped),
    ]),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

/** The cells of an edited text; `count` is the number of cells before the edit. A number counts for one cell only. */
export function parseCells(text: string, count: number): Result<readonly EditedCell[], ToolFailure> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const cells: { readonly head: Omit<EditedCell, "source">; readonly source: string[] }[] = [];
  const used = new Set<number>();
  for (const line of lines) {
    if (LIKE_HEAD.test(line) && !line.startsWith("\\")) {
      const [whole, written, kind = "", language = ""] = HEAD.exec(line) ?? [];
      if (whole === undefined) return failure("INVALID_INPUT", `This is no head of a cell: ${line}. ${NEEDS_HEADS}`);
      const number = written === undefined ? undefined : Number(written);
      const isKnown = number !== undefined && number >= 1 && number <= count && !used.has(number);
      if (isKnown) used.add(number);
      const isCode = kind === "code";
      cells.push({
        head: {
          number: isKnown ? number : undefined,
          kind: isCode ? "code" : "markup",
          language: language === "" ? (isCode ? "" : "markdown") : language,
        },
        source: [],
      });
      continue;
    }
    const cell = cells.at(-1);
    if (cell === undefined) return failure("INVALID_INPUT", NEEDS_HEADS);
    cell.source.push(LIKE_HEAD.test(line) ? line.slice(1) : line);
  }
  return ok(
    cells.map(({ head, source }) => {
      // Empty lines that separate a new cell from the next head are not part of it.
      while (head.number === undefined && source.at(-1) === "") source.pop();
      return { ...head, source: source.join("\n") };
    }),
  );
}

const STAMP = "notebook:";

/** Changes with kinds and sources of the cells, however the notebook is stored. */
export function notebookStamp(cells: readonly CellText[]): string {
  const hash = createHash("sha256");
  for (const { kind, source } of cells) hash.update(`${kind}:${source.length}:`).update(source);
  return STAMP + hash.digest("hex");
}

export function isNotebookStamp(stamp: string): boolean {
  return stamp.replace(/^unsaved:/, "").startsWith(STAMP);
}

/** A language as heads show it: files may hold anything in its place. */
export function languageName(language: string): string {
  return language.replace(/[^\w.+#-]/g, "").slice(0, 100);
}

function cellLines({ kind, language, source }: CellText, index: number): readonly string[] {
  return [`%% cell ${index + 1} (${kind}, ${languageName(language)})`, ...source.split("\n").map(escaped)];
}

function escaped(line: string): string {
  return LIKE_HEAD.test(line) ? `\\${line}` : line;
}
