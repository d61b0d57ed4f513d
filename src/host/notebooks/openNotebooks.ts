/** Notebooks that the editor has open, with their unsaved cells. */

import * as vscode from "vscode";
import { describeOutputs, outputBudget, type OutputForm } from "./cellOutputs.ts";
import { type CellText, notebookStamp, textWithOutputs } from "./notebookText.ts";

const CELL_SCHEME = "vscode-notebook-cell";

/** A cell in an open notebook. */
export interface CellPlace {
  readonly notebook: vscode.NotebookDocument;
  readonly cell: vscode.NotebookCell;
  /** Counted from 1. */
  readonly number: number;
}

export interface SelectedText {
  readonly document: vscode.TextDocument;
  readonly selection: vscode.Range;
}

export function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.notebookDocuments.find(({ uri: its, isClosed }) => !isClosed && its.toString() === wanted);
}

/** The cell whose source is the document at `uri`. */
export function cellOf(uri: vscode.Uri): CellPlace | undefined {
  if (uri.scheme !== CELL_SCHEME) return undefined;
  const wanted = uri.toString();
  for (const notebook of vscode.workspace.notebookDocuments) {
    const cell = notebook.getCells().find(({ document }) => document.uri.toString() === wanted);
    if (cell !== undefined) return { notebook, cell, number: cell.index + 1 };
  }
  return undefined;
}

/** The file that a document belongs to: of a cell, its notebook. */
export function fileUriOf(uri: vscode.Uri): vscode.Uri {
  return cellOf(uri)?.notebook.uri ?? uri;
}

/**
 * The selection in the active text editor, else the selected cell of the active notebook: a rendered cell has no text
 * editor.
 */
export function activeSelection(): SelectedText | undefined {
  const { activeTextEditor, activeNotebookEditor } = vscode.window;
  const isOfNotebook = activeTextEditor !== undefined && cellOf(activeTextEditor.document.uri) !== undefined;
  if (activeTextEditor !== undefined && (isOfNotebook || activeNotebookEditor === undefined)) return activeTextEditor;
  const { notebook, selection } = activeNotebookEditor ?? {};
  if (notebook === undefined || selection === undefined || selection.start >= notebook.cellCount) {
    return activeTextEditor;
  }
  const { document } = notebook.cellAt(selection.start);
  const last = document.lineCount - 1;
  return { document, selection: new vscode.Range(0, 0, last, document.lineAt(last).text.length) };
}

/** The text for reading, and its stamp. */
export function readOpenNotebook(notebook: vscode.NotebookDocument): { readonly text: string; readonly stamp: string } {
  const budget = outputBudget();
  const cells = notebook.getCells().map((cell) => ({
    ...cellText(cell),
    outputs: describeOutputs(
      cell.outputs.map(({ items }) => items.map(formOf)),
      budget,
    ),
  }));
  const stamp = notebookStamp(cells);
  return { text: textWithOutputs(cells), stamp: notebook.isDirty ? `unsaved:${stamp}` : stamp };
}

export function cellTexts(notebook: vscode.NotebookDocument): readonly CellText[] {
  return notebook.getCells().map(cellText);
}

function cellText({ kind, document }: vscode.NotebookCell): CellText {
  return {
    kind: kind === vscode.NotebookCellKind.Markup ? "markup" : "code",
    language: document.languageId,
    source: document.getText().replace(/\r\n?/g, "\n"),
  };
}

function formOf({ mime, data }: vscode.NotebookCellOutputItem): OutputForm {
  return {
    mime,
    sizeBytes: data.byteLength,
    text: (most) => new TextDecoder().decode(data.subarray(0, most * 4)).slice(0, most),
  };
}
