/**
 * The open workspace folders, and places in them by name or URI. Every name of a file or folder that a model or a user
 * sees or writes is made and taken here: in tools, mentions, links, cards, questions and exports.
 */

import * as vscode from "vscode";
import { ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { onOneLine } from "./hiddenText.ts";
import { movedPaths } from "./paths/movedPath.ts";
import {
  asWritten,
  displayPathOf,
  innermost,
  type NamedRoot,
  type PathStyle,
  pathStyleOf,
  readRequestedPath,
  type RequestedPath,
  rootNames,
} from "./paths/requestedPath.ts";
import { composed } from "./paths/spelling.ts";
import type { ToolFailure } from "./toolFailure.ts";

export interface WorkspaceRoot extends NamedRoot {
  readonly uri: vscode.Uri;
}

/** A place in an open folder, whether or not it exists. */
export interface Place extends RequestedPath {
  readonly root: WorkspaceRoot;
  readonly uri: vscode.Uri;
  /** The name for the model and the user, on one line. */
  readonly shown: string;
}

const STYLE: PathStyle = pathStyleOf(process.platform);

/** In the editor's order. */
export function workspaceRoots(): readonly WorkspaceRoot[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const names = rootNames(
    folders.map(({ name }) => name),
    STYLE,
  );
  return folders.map(({ name, uri }, index) => ({
    name: names[index] ?? name,
    uri,
    address: addressOf(uri),
    ...(uri.scheme === "file" ? { folderPath: uri.fsPath } : {}),
  }));
}

/** Resolves a path that a model wrote. */
export function resolvePlace(text: string): Result<Place, ToolFailure> {
  const roots = workspaceRoots();
  const read = readRequestedPath(text, roots, STYLE);
  return read.ok ? ok(placeIn(roots, read.value)) : read;
}

/** Where a file may be now that `text` names elsewhere: {@link movedPaths}. */
export function movedPlaces(text: string): readonly (readonly Place[])[] {
  const roots = workspaceRoots();
  const isTaken = ({ rootIndex, relative }: RequestedPath): boolean => {
    const written = roots.length === 1 ? asWritten(relative) : `${roots[rootIndex]?.name ?? ""}/${relative}`;
    return readRequestedPath(written, roots, STYLE).ok;
  };
  return movedPaths(text, roots).map((group) => group.filter(isTaken).map((path) => placeIn(roots, path)));
}

/** Another place in the same folder. */
export function placeAt({ rootIndex }: Place, relative: string): Place {
  return placeIn(workspaceRoots(), { rootIndex, relative });
}

/** `undefined` for a URI outside the open folders. The composition of letters does not matter. */
export function placeOfUri(uri: vscode.Uri): Place | undefined {
  const roots = workspaceRoots();
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const index = folder === undefined ? indexAround(roots, uri) : folder.index;
  const root = roots[index];
  if (root === undefined) return undefined;
  const above = segmentsOf(root.uri).length;
  const relative = segmentsOf(uri).slice(above).join("/");
  return relative.split("/").includes("..") ? undefined : placeIn(roots, { rootIndex: index, relative });
}

/** Index of the innermost folder around `uri` as letters are composed, or -1. */
function indexAround(roots: readonly WorkspaceRoot[], uri: vscode.Uri): number {
  const wanted = `${composed(addressOf(uri))}/`;
  const around = roots.map((root) => {
    const address = `${composed(root.address ?? "")}/`;
    return wanted.startsWith(address) ? address.length : 0;
  });
  const longest = Math.max(0, ...around);
  return longest === 0 ? -1 : around.indexOf(longest);
}

function addressOf({ scheme, authority, path }: vscode.Uri): string {
  return `${scheme}://${authority}${path.replace(/\/$/, "")}`;
}

function segmentsOf({ path }: vscode.Uri): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** The path for the user, or only the name of a file outside the open folders. */
export function pathOrName(uri: vscode.Uri): string {
  return placeOfUri(uri)?.shown ?? onOneLine(lastNameOf(uri));
}

/** The name of a file or folder, without those that it is in. */
export function lastNameOf(uri: vscode.Uri): string {
  return segmentsOf(uri).at(-1) ?? "";
}

export function rootPlaces(): readonly Place[] {
  const roots = workspaceRoots();
  return roots.map((_, rootIndex) => placeIn(roots, { rootIndex, relative: "" }));
}

/** The folder to name in a question: where several are open, or where it is not on this disk. */
export function folderOf(place: Place): { readonly folder?: string } {
  const roots = workspaceRoots();
  const { name, folderPath } = roots[innermost(place, roots).rootIndex] ?? place.root;
  if (folderPath === undefined) return { folder: localize("{0} (not on this machine’s disk)", name) };
  return roots.length > 1 ? { folder: name } : {};
}

/** Whether a place is `scope` or below it; always true without a scope. */
export function isWithin(place: Place, scope: Place | undefined): boolean {
  return scope === undefined || pathBelow(scope, place) !== undefined;
}

/** The path of a place from `scope` on, whichever open folder it was found in; empty for `scope` itself. */
export function pathBelow(scope: Place, place: Place): string | undefined {
  const [outer, inner] = [addressOf(scope.uri), addressOf(place.uri)];
  return `${inner}/`.startsWith(`${outer}/`) ? inner.slice(outer.length + 1) : undefined;
}

function placeIn(roots: readonly WorkspaceRoot[], path: RequestedPath): Place {
  const root = roots[path.rootIndex];
  if (root === undefined) throw new Error(`no workspace folder ${path.rootIndex}`);
  const uri = path.relative === "" ? root.uri : vscode.Uri.joinPath(root.uri, ...path.relative.split("/"));
  return { ...path, root, uri, shown: displayPathOf(path, roots) };
}
