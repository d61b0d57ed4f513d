/** Writes an accepted edit: its bytes to the disk, or its text into a document with unsaved changes. */

import * as vscode from "vscode";
import { ok, type Result } from "../../../core/result.ts";
import { replaceCells, revealCells } from "../../notebooks/notebookEdit.ts";
import { writeBytes } from "../files/workspaceFiles.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import type { PreparedEdit } from "./preparedEdit.ts";
import { waitUntilShown } from "./shownText.ts";

/**
 * `userChanges`: the document had unsaved changes of the user, which are not saved for them. `couldNotBeSaved`: the
 * editor has the change of a notebook, and could not save it.
 */
export type Written = "saved" | "userChanges" | "couldNotBeSaved";

/** Only as it was prepared: where the file or the document changed since, nothing is written. */
export async function writeEdit(dist: string, prepared: PreparedEdit): Promise<Result<Written, ToolFailure>> {
  const { place, document, target } = prepared;
  if (target.kind === "unsaved") return replaceUnsaved(prepared, target.version);
  if (target.kind === "cells") return replaceCells(target.notebook, place, prepared.before, prepared.after);
  if (document?.isDirty === true) return changedSince(place.shown);
  const written = await writeBytes(dist, place, prepared.realRelative, target.before, target.after);
  if (!written.ok) return written;
  // The editor takes it over as one step, which undo reverts.
  if (document !== undefined) {
    await waitUntilShown(document, () => Promise.resolve(ok(target.after)), new AbortController().signal);
  }
  return ok("saved");
}

/** Reveals the change, so that the user sees it and can undo it; the focus stays. */
export async function revealChange({ place: { uri }, before, after, changes, target }: PreparedEdit): Promise<void> {
  if (target.kind === "cells") {
    await revealCells(target.notebook, before, after);
    return;
  }
  const editor = await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  const lines = before.slice(0, changes[0]?.start).split("\n");
  const position = editor.document.validatePosition(new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0));
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function replaceUnsaved(
  { place, document, before, changes }: PreparedEdit,
  version: number,
): Promise<Result<Written, ToolFailure>> {
  const isSame = document?.isClosed === false && document.version === version && document.getText() === before;
  if (!isSame) return changedSince(place.shown);
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of changes) {
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  }
  const isApplied = await vscode.workspace.applyEdit(edit);
  return isApplied
    ? ok("userChanges")
    : failure("FAILED", `The editor did not take the edit of ${place.shown}. Nothing was written.`);
}

function changedSince(shown: string): Result<never, ToolFailure> {
  return failure(
    "CONFLICT",
    `${shown} changed since the edit was proposed, so nothing was written. Read the file again.`,
  );
}
