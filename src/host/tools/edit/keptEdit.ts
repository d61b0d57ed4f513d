/** Keeps the file of an edit before it is changed, so that it can be restored. */

import * as vscode from "vscode";
import type { ChangedFile } from "../../checkpoints/fileStates.ts";
import type { KeepChanges, KeptChange } from "../../checkpoints/keepChange.ts";
import type { Result } from "../../../core/result.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import type { PreparedEdit } from "./preparedEdit.ts";

/** Keeps the file before it is written; fails if that cannot be: then nothing may be written. */
export async function keepEdit(
  prepared: PreparedEdit,
  keep: Pick<KeepChanges, "edit">,
  title: string,
): Promise<Result<KeptChange, ToolFailure>> {
  const kept = await keep.edit(title, await changedFile(prepared));
  if (kept.ok) return kept;
  const { shown } = prepared.place;
  return failure(
    "FAILED",
    `The state of ${shown} could not be kept (${kept.error.detail}), so nothing was written. The user has to see to it.`,
  );
}

/** Bytes of a notebook are known only once the editor has saved it. */
export async function correctKept({ target, place: { uri } }: PreparedEdit, kept: KeptChange): Promise<void> {
  if (target.kind === "cells") await kept.correct(await bytesOf(uri));
}

async function changedFile({ place: { uri }, document, before, after, target }: PreparedEdit): Promise<ChangedFile> {
  const file = uri.toString();
  switch (target.kind) {
    case "bytes":
      return { file, before: target.before, after: target.after };
    case "unsaved":
      // As it will be once the user has saved it; in another encoding it is a conflict, and left as it is.
      return { file, before: encoded(before, document), after: encoded(after, document) };
    case "cells": {
      const bytes = await bytesOf(uri);
      return { file, before: bytes, after: bytes };
    }
  }
}

function encoded(text: string, document: vscode.TextDocument | undefined): Uint8Array {
  return Buffer.from(document?.encoding === "utf8bom" ? `\ufeff${text}` : text);
}

async function bytesOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
