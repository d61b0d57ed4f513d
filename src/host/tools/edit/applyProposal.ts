/** Writes an accepted edit through the editor, so that undo reverts it. */

import * as vscode from "vscode";
import { ok, type Result } from "../../../core/result.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import type { Place } from "../workspaceRoots.ts";
import { changedRange } from "./applyEdits.ts";

export interface AppliedEdit {
  /** `userChanges`: the document had unsaved changes of the user, which are not saved for them. */
  readonly saved: "saved" | "userChanges" | "couldNotBeSaved";
  /** The editor changed more on saving, as a formatter does. */
  readonly isFormatted: boolean;
}

const CHANGED_SINCE = "changed since the edit was proposed, so nothing was written. Read the file again.";

/** Fails where the file exists by now. */
export async function createFile({ uri, shown }: Place, text: string): Promise<Result<AppliedEdit, ToolFailure>> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: false, ignoreIfExists: false, contents: new TextEncoder().encode(text) });
  const isApplied = await vscode.workspace.applyEdit(edit);
  if (!isApplied) return failure("CONFLICT", `${shown} could not be created; it may be there by now.`);
  return ok({ saved: "saved", isFormatted: false });
}

/** Replaces what differs between `before` and `after` in an open document that still contains `before`. */
export async function replaceText(
  document: vscode.TextDocument,
  { shown }: Place,
  before: string,
  after: string,
): Promise<Result<AppliedEdit, ToolFailure>> {
  if (document.isClosed || document.getText() !== before) return failure("CONFLICT", `${shown} ${CHANGED_SINCE}`);
  const wasDirty = document.isDirty;
  const { start, end, text } = changedRange(before, after);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  const isApplied = await vscode.workspace.applyEdit(edit);
  if (!isApplied) return failure("FAILED", `The editor did not take the edit of ${shown}. Nothing was written.`);
  if (wasDirty) return ok({ saved: "userChanges", isFormatted: false });
  const isSaved = await document.save();
  return ok({ saved: isSaved ? "saved" : "couldNotBeSaved", isFormatted: isSaved && document.getText() !== after });
}

/** Reveals the change, so that the user sees it and can undo it; the focus stays. */
export async function revealChange({ uri }: Place, before: string, after: string): Promise<void> {
  const editor = await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  const { start } = changedRange(before, after);
  const position = editor.document.positionAt(start);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
