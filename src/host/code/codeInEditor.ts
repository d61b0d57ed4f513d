/** Puts code of an answer into the editor: at the cursor, or as a new untitled file. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { type CellPlace, cellOf, fileUriOf } from "../notebooks/openNotebooks.ts";
import { languageId } from "./fenceLanguages.ts";
import { showInformation, showWarning } from "../editor/boxes/messages.ts";

/** The user's text editor, even while the chat has the focus or is in a tab itself. */
export function userTextEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return [activeTextEditor, ...visibleTextEditors].find(
    (editor) => editor !== undefined && (editor.document.isUntitled || isWritable(fileUriOf(editor.document.uri))),
  );
}

/** Replaces the selection at every cursor; one undo reverts all. */
export async function insertAtCursor(text: string): Promise<void> {
  const editor = userTextEditor();
  if (editor === undefined) {
    void showInformation(localize("Open a file and put the cursor where the code is to go."));
    return;
  }
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isDone) {
    void showWarning(localize("The editor did not take the code; the file may be read-only."));
    return;
  }
  const { document, viewColumn } = editor;
  const { end } = editor.selection;
  const cell = cellOf(document.uri);
  if (cell !== undefined) {
    await showCell(cell, viewColumn);
    return;
  }
  const shown = await vscode.window.showTextDocument(document, {
    selection: new vscode.Selection(end, end),
    ...(viewColumn === undefined ? {} : { viewColumn }),
  });
  shown.revealRange(new vscode.Range(end, end));
}

/** Moves the focus into the cell; the cursor stays where it is. */
async function showCell({ notebook, cell }: CellPlace, viewColumn: vscode.ViewColumn | undefined): Promise<void> {
  await vscode.window.showNotebookDocument(notebook, {
    selections: [new vscode.NotebookRange(cell.index, cell.index + 1)],
    ...(viewColumn === undefined ? {} : { viewColumn }),
  });
  await vscode.commands.executeCommand("notebook.cell.edit");
}

/** Opens `text` as an untitled file, in the language that its fence names. */
export async function openAsNewFile(text: string, fence: string): Promise<void> {
  const language = languageId(fence, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({ content: text, language });
  await vscode.window.showTextDocument(document, { preview: false });
}

function isWritable({ scheme }: vscode.Uri): boolean {
  return scheme !== "output" && vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}
