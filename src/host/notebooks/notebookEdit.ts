/** Edits of notebooks, made in the editor's notebook: the next save keeps them, and cells that do not change. */

import * as vscode from "vscode";
import { ok, type Result } from "../../core/result.ts";
import { changedRange } from "../../adapters/diff/textChanges.ts";
import { failure, type ToolFailure } from "../tools/toolFailure.ts";
import type { Place } from "../tools/workspaceRoots.ts";
import { cellsOfJson, jsonOfCells } from "./notebookJson.ts";
import { cellsText, type EditedCell, languageName, notebookStamp, parseCells } from "./notebookText.ts";
import { activeSelection, cellOf, cellTexts, openNotebook } from "./openNotebooks.ts";

/** Outcome for the user's file, as for a text file. */
export type NotebookSaved = "saved" | "userChanges" | "couldNotBeSaved";

/** Longest wait for the editor to notice a change on disk, and the polling interval. */
const RELOAD_LIMIT_MS = 5_000;
const RELOAD_POLL_MS = 200;

/**
 * The notebook at a place, opened without showing it. `stamp` is that of the last reading from the disk: the notebook
 * must have the same cells.
 */
export async function notebookToEdit(
  { uri, shown }: Place,
  stamp: string,
): Promise<Result<vscode.NotebookDocument, ToolFailure>> {
  const open = openNotebook(uri);
  if (open !== undefined) return ok(open);
  const asText = vscode.workspace.textDocuments.find(({ uri: its }) => its.toString() === uri.toString());
  if (asText?.isDirty === true) {
    return failure(
      "CONFLICT",
      `${shown} is open as text, with changes that are not saved. Nothing was changed. Ask the user to save it first.`,
    );
  }
  const notebook = await opened(uri);
  if (notebook === undefined) {
    return failure(
      "UNAVAILABLE",
      `This editor cannot open ${shown} as a notebook, so its cells cannot be edited. Nothing was changed. ` +
        "An extension for this kind of notebook, such as Jupyter, has to be installed and enabled.",
    );
  }
  for (let waitedMs = 0; waitedMs <= RELOAD_LIMIT_MS; waitedMs += RELOAD_POLL_MS) {
    if (notebook.isDirty || notebookStamp(cellTexts(notebook)) === stamp) return ok(notebook);
    await new Promise((resolve) => setTimeout(resolve, RELOAD_POLL_MS));
  }
  return failure("CONFLICT", `The editor does not show ${shown} as it is on the disk yet. Try again.`);
}

/** The file of a new notebook, whose content is JSON or cells. */
export function newNotebook(content: string): Result<string, ToolFailure> {
  if (cellsOfJson(content) !== undefined) return ok(content);
  const cells = parseCells(content, 0);
  return cells.ok ? ok(jsonOfCells(cells.value)) : cells;
}

/** Rewrites the cell that the user is in, else the only one where the place is clear. Gives the text of all cells. */
export async function rewriteCell(
  notebook: vscode.NotebookDocument,
  rewrite: (source: string) => Promise<string | undefined>,
): Promise<Result<string, ToolFailure>> {
  const cells = cellTexts(notebook);
  const selected = activeSelection();
  const active = selected === undefined ? undefined : cellOf(selected.document.uri);
  const activeIndex = active?.notebook === notebook ? active.cell.index : -1;
  const rewritten = new Map<number, string>();
  for (const [index, { source }] of cells.entries()) {
    if (source.trim() === "" && index !== activeIndex) continue;
    const after = await rewrite(source);
    if (after !== undefined) rewritten.set(index, source.endsWith("\n") ? after : after.replace(/\n$/, ""));
  }
  const [only = -1, ...others] = rewritten.has(activeIndex) ? [activeIndex] : rewritten.keys();
  const source = others.length === 0 ? rewritten.get(only) : undefined;
  if (source === undefined) return failure("INVALID_INPUT", "Nothing says which cell the text belongs to.");
  return ok(cellsText(cells.map((cell, index) => (index === only ? { ...cell, source } : cell))));
}

/** Writes the cells of `after`. Fails where the notebook has other cells than `before` by now. */
export async function replaceCells(
  notebook: vscode.NotebookDocument,
  { shown }: Place,
  before: string,
  after: string,
): Promise<Result<NotebookSaved, ToolFailure>> {
  if (notebook.isClosed || cellsText(cellTexts(notebook)) !== before) {
    return failure(
      "CONFLICT",
      `${shown} changed since the edit was proposed, so nothing was written. Read the file again.`,
    );
  }
  const cells = parseCells(after, notebook.cellCount);
  if (!cells.ok) return cells;
  const wasDirty = notebook.isDirty;
  const isApplied = await vscode.workspace.applyEdit(workspaceEdit(notebook, cells.value));
  if (!isApplied) return failure("FAILED", `The editor did not take the edit of ${shown}. Nothing was written.`);
  if (wasDirty) return ok("userChanges");
  return ok((await notebook.save()) ? "saved" : "couldNotBeSaved");
}

/** Reveals the first cell that changed; the focus stays. */
export async function revealCells(notebook: vscode.NotebookDocument, before: string, after: string): Promise<void> {
  const { start } = changedRange(before, after);
  const heads = before.slice(0, before.indexOf("\n", start)).match(/^%% cell /gm)?.length ?? 1;
  const index = Math.max(0, Math.min(heads, notebook.cellCount) - 1);
  const editor = await vscode.window.showNotebookDocument(notebook, { preview: true, preserveFocus: true });
  const range = new vscode.NotebookRange(index, index + 1);
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

/** Only cells that differ: their text is edited in place; new, moved and removed ones are replaced between them. */
function workspaceEdit(notebook: vscode.NotebookDocument, cells: readonly EditedCell[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const gaps: vscode.NotebookEdit[] = [];
  let next = 0;
  let waiting: vscode.NotebookCellData[] = [];
  const close = (end: number): void => {
    if (end > next || waiting.length > 0) {
      gaps.push(vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(next, end), waiting));
    }
    waiting = [];
  };
  for (const edited of cells) {
    const index = edited.number === undefined ? -1 : edited.number - 1;
    const cell = index < 0 ? undefined : notebook.cellAt(index);
    if (cell !== undefined && index >= next && isSameKind(cell, edited)) {
      close(index);
      next = index + 1;
      replaceSource(edit, cell.document, edited.source);
    } else {
      waiting.push(cellData(notebook, edited, cell));
    }
  }
  close(notebook.cellCount);
  // From the end on, so that the places of those before stay the same.
  if (gaps.length > 0) edit.set(notebook.uri, gaps.toReversed());
  return edit;
}

function isSameKind({ kind, document }: vscode.NotebookCell, edited: EditedCell): boolean {
  return kind === kindOf(edited) && (edited.language === "" || edited.language === languageName(document.languageId));
}

function replaceSource(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, source: string): void {
  const before = document.getText();
  const after = document.eol === vscode.EndOfLine.CRLF ? source.replaceAll("\n", "\r\n") : source;
  if (before === after) return;
  const { start, end, text } = changedRange(before, after);
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
}

/** A new cell, or a moved one with what belongs to it. */
function cellData(
  notebook: vscode.NotebookDocument,
  edited: EditedCell,
  cell: vscode.NotebookCell | undefined,
): vscode.NotebookCellData {
  const kind = kindOf(edited);
  const language = edited.language === "" ? (cell?.document.languageId ?? codeLanguage(notebook)) : edited.language;
  const data = new vscode.NotebookCellData(kind, edited.source, language);
  if (cell?.kind !== kind) return data;
  data.metadata = { ...cell.metadata };
  data.outputs = [...cell.outputs];
  if (cell.executionSummary !== undefined) data.executionSummary = cell.executionSummary;
  return data;
}

function kindOf({ kind }: EditedCell): vscode.NotebookCellKind {
  return kind === "markup" ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
}

function codeLanguage(notebook: vscode.NotebookDocument): string {
  const code = notebook.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code);
  return code?.document.languageId ?? "python";
}

async function opened(uri: vscode.Uri): Promise<vscode.NotebookDocument | undefined> {
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch {
    return undefined; // no serializer, or one that cannot read it
  }
}
