/** Files of the open folders, as restores read and write them: through the same guards as tools. */

import { chmod, stat } from "node:fs/promises";
import * as vscode from "vscode";
import { MOST_KEPT_BYTES } from "../../../adapters/node/checkpoints/contentStore.ts";
import { fileFailure } from "../../../adapters/node/files.ts";
import { locate, readBytes, writeBytes } from "./workspaceFiles.ts";
import { placeOfUri } from "../workspaceRoots.ts";
import type { WorkspaceContents } from "../../checkpoints/fileStates.ts";

const NEVER = new AbortController().signal;

/** `dist` is the folder of the bundled files. A file outside the open folders is unreadable. */
export function workspaceContents(dist: string): WorkspaceContents {
  const read: WorkspaceContents["read"] = async (file) => {
    const place = placeOfUri(vscode.Uri.parse(file));
    if (place === undefined) return "unreadable";
    if (hasUnsavedChanges(file)) return "unsaved";
    const located = await locate(dist, place, NEVER);
    if (!located.ok || located.value.kind === "folder") return "unreadable";
    if (located.value.kind === "missing") return undefined;
    const bytes = await readBytes(dist, place, true, MOST_KEPT_BYTES, NEVER);
    return bytes.ok && bytes.value.kind === "bytes" ? bytes.value.bytes : "unreadable";
  };
  return {
    read,
    write: async (file, bytes, isExecutable) => {
      const uri = vscode.Uri.parse(file);
      const place = placeOfUri(uri);
      const current = await read(file);
      if (place === undefined || typeof current === "string") return false;
      const located = await locate(dist, place, NEVER);
      if (!located.ok || located.value.isReadOnly) return false;
      if (bytes === undefined) return current === undefined || (await deleted(uri));
      const written = await writeBytes(dist, place, located.value.relative, current, bytes);
      if (!written.ok) return false;
      if (isExecutable && current === undefined && uri.scheme === "file") await makeExecutable(uri.fsPath);
      return true;
    },
  };
}

function hasUnsavedChanges(file: string): boolean {
  const isIt = ({ uri, isDirty }: { readonly uri: vscode.Uri; readonly isDirty: boolean }): boolean =>
    isDirty && uri.toString() === file;
  return vscode.workspace.textDocuments.some(isIt) || vscode.workspace.notebookDocuments.some(isIt);
}

/** As far as the file system knows modes: without it, the content is there nevertheless. */
async function makeExecutable(file: string): Promise<void> {
  const readers = 0o444;
  try {
    const { mode } = await stat(file);
    await chmod(file, (mode & 0o777) | ((mode & readers) >> 2));
  } catch (error) {
    fileFailure(error); // throws what is a bug
  }
}

async function deleted(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.delete(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return false;
    throw error;
  }
}
