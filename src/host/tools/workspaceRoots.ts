/** The open workspace folders, and places in them by path or URI. */

import * as vscode from "vscode";
import { ok, type Result } from "../../core/result.ts";
import { type NamedRoot, readRequestedPath, type RequestedPath, displayPathOf } from "./paths/requestedPath.ts";
import { onOneLine } from "./hiddenText.ts";
import type { ToolFailure } from "./toolFailure.ts";

export interface WorkspaceRoot extends NamedRoot {
  readonly uri: vscode.Uri;
}

/** A place in an open folder, whether or not it exists. */
export interface Place extends RequestedPath {
  readonly root: WorkspaceRoot;
  readonly uri: vscode.Uri;
  /** The path for the model and the user. */
  readonly shown: string;
}

/** In the editor's order. Duplicate names get a number. */
export function workspaceRoots(): readonly WorkspaceRoot[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.map(({ name, uri }, index) => {
    const double = folders.slice(0, index).filter((earlier) => earlier.name === name).length;
    return {
      name: double === 0 ? name : `${name} (${double + 1})`,
      uri,
      ...(uri.scheme === "file" ? { folderPath: uri.fsPath } : {}),
    };
  });
}

/** Resolves a path that a model wrote. */
export function resolvePlace(text: string): Result<Place, ToolFailure> {
  const roots = workspaceRoots();
  const read = readRequestedPath(text, roots, process.platform === "win32" ? "windows" : "posix");
  return read.ok ? ok(placeIn(roots, read.value)) : read;
}

/** Another place in the same folder. */
export function placeAt({ rootIndex }: Place, relative: string): Place {
  return placeIn(workspaceRoots(), { rootIndex, relative });
}

/** `undefined` for a URI outside the open folders. */
export function placeOfUri(uri: vscode.Uri): Place | undefined {
  const roots = workspaceRoots();
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  const relative = uri.path.slice(folder.uri.path.length).replace(/^\/+/, "");
  return relative.split("/").includes("..") ? undefined : placeIn(roots, { rootIndex: folder.index, relative });
}

/** The path for the user, or only the name of a file outside the open folders. */
export function pathOrName(uri: vscode.Uri): string {
  return placeOfUri(uri)?.shown ?? uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

export function rootPlaces(): readonly Place[] {
  const roots = workspaceRoots();
  return roots.map((_, rootIndex) => placeIn(roots, { rootIndex, relative: "" }));
}

/** The folder to name in a question, where several are open. */
export function folderOf(place: Place): { readonly folder?: string } {
  return workspaceRoots().length > 1 ? { folder: onOneLine(place.root.name) } : {};
}

/** Whether a place is `scope` or below it; always true without a scope. */
export function isWithin(place: Place, scope: Place | undefined): boolean {
  if (scope === undefined) return true;
  if (place.rootIndex !== scope.rootIndex) return false;
  const isThis = scope.relative === "" || place.relative === scope.relative;
  return isThis || place.relative.startsWith(`${scope.relative}/`);
}

function placeIn(roots: readonly WorkspaceRoot[], path: RequestedPath): Place {
  const root = roots[path.rootIndex];
  if (root === undefined) throw new Error(`no workspace folder ${path.rootIndex}`);
  const uri = path.relative === "" ? root.uri : vscode.Uri.joinPath(root.uri, ...path.relative.split("/"));
  return { ...path, root, uri, shown: displayPathOf(path, roots) };
}
