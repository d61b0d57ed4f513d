/** Jupyter's file format, for notebooks that no editor has open, and for new ones. */

import { listIn, member, stringField, tryParseJson } from "../../core/json.ts";
import {
  describeOutputs,
  ERROR_MIME,
  outputBudget,
  type OutputBudget,
  type OutputForm,
  STREAM_MIME,
} from "./cellOutputs.ts";
import { type CellText, type CellWithOutputs, textWithOutputs } from "./notebookText.ts";

/** Names of forms in format 3. */
const OLD_FORMS: Readonly<Record<string, string>> = {
  text: "text/plain",
  html: "text/html",
  latex: "text/latex",
  json: "application/json",
  javascript: "application/javascript",
  png: "image/png",
  jpeg: "image/jpeg",
  svg: "image/svg+xml",
  pdf: "application/pdf",
};

export function isNotebookName(relative: string): boolean {
  return relative.toLowerCase().endsWith(".ipynb");
}

/** The cells of a file's text; `undefined` when it is no notebook of this format. */
export function cellsOfJson(text: string): readonly CellWithOutputs[] | undefined {
  if (!/^\ufeff?\s*\{/.test(text)) return undefined;
  const notebook = tryParseJson(text.replace(/^\ufeff/, ""));
  const language = languageOf(notebook);
  const budget = outputBudget();
  if (Array.isArray(member(notebook, "cells")))
    return listIn(notebook, "cells").map((cell) => cellOf(cell, language, budget));
  if (!Array.isArray(member(notebook, "worksheets"))) return undefined;
  return listIn(notebook, "worksheets").flatMap((sheet) =>
    listIn(sheet, "cells").map((cell) => cellOf(cell, stringField(cell, "language") || language, budget)),
  );
}

/** The text of a file as it is read: of a notebook, its cells and outputs. */
export function readableText(relative: string, text: string): string {
  const cells = isNotebookName(relative) ? cellsOfJson(text) : undefined;
  return cells === undefined ? text : textWithOutputs(cells);
}

/** A file with these cells. */
export function jsonOfCells(cells: readonly CellText[]): string {
  const language = cells.find(({ kind, language: name }) => kind === "code" && name !== "")?.language ?? "python";
  const notebook = {
    cells: cells.map(({ kind, source, language: own }, index) => {
      const id = `cell-${index + 1}`;
      const lines = source === "" ? [] : source.split(/(?<=\n)/);
      if (kind === "markup") return { cell_type: "markdown", id, metadata: {}, source: lines };
      const metadata = own === "" || own === language ? {} : { vscode: { languageId: own } };
      return { cell_type: "code", execution_count: null, id, metadata, outputs: [], source: lines };
    }),
    metadata: { language_info: { name: language } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, undefined, 1)}\n`;
}

function languageOf(notebook: unknown): string {
  const metadata = member(notebook, "metadata");
  const name =
    stringField(member(metadata, "language_info"), "name") || stringField(member(metadata, "kernelspec"), "language");
  const lower = name.toLowerCase();
  return lower === "" ? "python" : /^.#$/.test(lower) ? `${lower[0] ?? ""}sharp` : lower;
}

function cellOf(cell: unknown, language: string, budget: OutputBudget): CellWithOutputs {
  const type = stringField(cell, "cell_type");
  const source = textOf(member(cell, "source") ?? member(cell, "input")).replace(/\r\n?/g, "\n");
  if (type === "markdown" || type === "heading") return { kind: "markup", language: "markdown", source, outputs: [] };
  if (type === "raw") return { kind: "code", language: "raw", source, outputs: [] };
  const own = stringField(member(member(cell, "metadata"), "vscode"), "languageId");
  const outputs = describeOutputs(listIn(cell, "outputs").map(formsOf), budget);
  return { kind: "code", language: own || language, source, outputs };
}

function formsOf(output: unknown): readonly OutputForm[] {
  const type = stringField(output, "output_type");
  if (type === "stream") {
    const name = stringField(output, "name") || stringField(output, "stream") || "stdout";
    return [form(STREAM_MIME + name, textOf(member(output, "text")))];
  }
  if (type === "error" || type === "pyerr") {
    const stack = listIn(output, "traceback")
      .filter((line) => typeof line === "string")
      .join("\n");
    const error = { name: stringField(output, "ename"), message: stringField(output, "evalue"), stack };
    return [form(ERROR_MIME, JSON.stringify(error))];
  }
  const data = member(output, "data");
  const isOld = typeof data !== "object" || data === null;
  const entries = Object.entries(isOld ? (output ?? {}) : data).map(([name, value]): [string, unknown] => [
    isOld ? (OLD_FORMS[name] ?? "") : name,
    value,
  ]);
  return entries.filter(([mime]) => mime !== "").map(([mime, value]) => form(mime, textOf(value)));
}

/** `value` is the text, or base64 of a picture. */
function form(mime: string, value: string): OutputForm {
  const isData = mime.startsWith("image/") && mime !== "image/svg+xml";
  return {
    mime,
    sizeBytes: isData ? Math.floor((value.length * 3) / 4) : Buffer.byteLength(value),
    text: (most) => value.slice(0, most),
  };
}

/** Texts are strings, or lists of their lines; anything else is data. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((line) => typeof line === "string")) return value.join("");
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
