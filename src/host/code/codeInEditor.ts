/** Code of an answer in the editor: where the cursor is, or in a file of its own that is not saved yet. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { languageId } from "./fenceLanguages.ts";

/** The editor that the user works in; the chat may have the keyboard, and stand in a tab. */
export function textEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return [activeTextEditor, ...visibleTextEditors].find(
    (editor) => editor !== undefined && (editor.document.isUntitled || isWritable(editor.document.uri)),
  );
}

/** Puts `text` in the place of what is selected, at every cursor; one undo takes it back. */
export async function insertAtCursor(text: string): Promise<void> {
  const editor = textEditor();
  if (editor === undefined) {
    void vscode.window.showInformationMessage(localize("Open a file and put the cursor where the code is to go."));
    return;
  }
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isDone) {
    void vscode.window.showWarningMessage(localize("The editor did not take the code; the file may be read-only."));
    return;
  }
  const { document, viewColumn } = editor;
  const { end } = editor.selection;
  const shown = await vscode.window.showTextDocument(document, {
    selection: new vscode.Selection(end, end),
    ...(viewColumn === undefined ? {} : { viewColumn }),
  });
  shown.revealRange(new vscode.Range(end, end));
}

/** Opens `text` as a file without a name, in the language that its fence names. */
export async function openAsNewFile(text: string, fence: string): Promise<void> {
  const language = languageId(fence, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({ content: text, language });
  await vscode.window.showTextDocument(document, { preview: false });
}

function isWritable({ scheme }: vscode.Uri): boolean {
  return scheme !== "output" && vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}
