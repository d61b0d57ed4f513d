/**
 * Files of a virtual file system. Only the editor can access them, and targets of links are unknown: no link is
 * followed.
 */

import * as vscode from "vscode";
import { thrownText } from "../../../core/errors.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { ok, type Result } from "../../../core/result.ts";
import { isSameBytes } from "./byteSource.ts";
import { type FolderEntry, filterFolder, type WalkFolder, WALK_START } from "../search/walkRules.ts";
import { spellingIn } from "../paths/spelling.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import type { Place } from "../workspaceRoots.ts";
import type { WalkRequest } from "./fileTask.ts";
import { fileFilter, type WalkedFile, walkOptions } from "./walkDisk.ts";

/** A larger file would have to be fetched as a whole for a few lines. */
const MOST_BYTES = 8 * 1024 * 1024;

/** `stamp` changes with the file. */
export interface VirtualEntry {
  readonly kind: "file" | "folder" | "missing";
  readonly sizeBytes: number;
  readonly stamp: string;
  readonly isReadOnly: boolean;
}

/** Checks every folder on the way for links. */
export async function locateVirtual({ root, relative, shown }: Place): Promise<Result<VirtualEntry, ToolFailure>> {
  const segments = relative === "" ? [] : relative.split("/");
  const isReadOnly = vscode.workspace.fs.isWritableFileSystem(root.uri.scheme) === false;
  let entry: VirtualEntry = { kind: "folder", sizeBytes: 0, stamp: "", isReadOnly };
  for (let length = 1; length <= segments.length; length++) {
    const uri = vscode.Uri.joinPath(root.uri, ...segments.slice(0, length));
    const stat = await statOf(uri);
    if (stat === undefined) return ok({ kind: "missing", sizeBytes: 0, stamp: "missing", isReadOnly });
    if ((stat.type & vscode.FileType.SymbolicLink) !== 0) {
      return failure("OUTSIDE_WORKSPACE", `${shown} is reached by a link, and is not followed.`);
    }
    const isFolder = (stat.type & vscode.FileType.Directory) !== 0;
    if (!isFolder && length < segments.length) return failure("NOT_FOUND", `There is no ${shown}.`);
    entry = {
      kind: isFolder ? "folder" : "file",
      sizeBytes: stat.size,
      stamp: `${stat.mtime}:${stat.size}`,
      isReadOnly: isReadOnly || ((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0,
    };
  }
  return ok(entry);
}

export async function readVirtual(
  place: Place,
): Promise<Result<{ readonly bytes: Uint8Array; readonly stamp: string }, ToolFailure>> {
  const entry = await locateVirtual(place);
  if (!entry.ok) return entry;
  const { kind, sizeBytes, stamp } = entry.value;
  if (kind === "missing") return failure("NOT_FOUND", `There is no ${place.shown}.`);
  if (kind === "folder") return failure("WRONG_KIND", `${place.shown} is a folder, not a file.`);
  if (sizeBytes > MOST_BYTES) return failure("TOO_LARGE", `${place.shown} is too large to be fetched.`);
  try {
    return ok({ bytes: await vscode.workspace.fs.readFile(place.uri), stamp });
  } catch (error) {
    return failure("FAILED", `${place.shown} could not be read: ${thrownText(error)}.`);
  }
}

/** Replaces the bytes of a file that still has `before`, or creates it. */
export async function writeVirtual(
  place: Place,
  before: Uint8Array | undefined,
  after: Uint8Array,
): Promise<Result<undefined, ToolFailure>> {
  const { shown, uri } = place;
  const entry = await locateVirtual(place);
  if (!entry.ok) return entry;
  try {
    const now = entry.value.kind === "file" ? await vscode.workspace.fs.readFile(uri) : undefined;
    const isSame =
      before === undefined ? entry.value.kind === "missing" : now !== undefined && isSameBytes(now, before);
    if (!isSame) return failure("CONFLICT", `${shown} changed since the edit was proposed, so nothing was written.`);
    await vscode.workspace.fs.writeFile(uri, after);
    return ok(undefined);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "NoPermissions") {
      return failure("NOT_ALLOWED", `The file system of ${shown} does not allow this. Nothing was written.`);
    }
    return failure("FAILED", `${shown} could not be written: ${thrownText(error)}.`);
  }
}

/** The path as the file system spells it; see `LocalAccess.spelling`. */
export async function spellingInVirtual({ root, relative, uri }: Place): Promise<string> {
  if ((await statOf(uri)) !== undefined) return relative;
  const found: string[] = [];
  for (const name of relative.split("/")) {
    const folder = vscode.Uri.joinPath(root.uri, ...found);
    found.push(spellingIn(await entriesOf(folder), name));
  }
  return found.join("/");
}

export async function listVirtual(place: Place): Promise<Result<readonly FolderEntry[], ToolFailure>> {
  const entry = await locateVirtual(place);
  if (!entry.ok) return entry;
  if (entry.value.kind === "missing") return failure("NOT_FOUND", `There is no ${place.shown}.`);
  if (entry.value.kind === "file") return failure("WRONG_KIND", `${place.shown} is a file, not a folder.`);
  try {
    const entries = await vscode.workspace.fs.readDirectory(place.uri);
    return ok(entries.map(([name, type]) => ({ name, kind: kindOf(type) })));
  } catch (error) {
    return failure("FAILED", `${place.shown} could not be read: ${thrownText(error)}.`);
  }
}

/**
 * Yields the files that `request` selects, those of a folder before those below it. Reads `.gitignore` files on the
 * way.
 */
export async function* walkVirtual(
  root: vscode.Uri,
  request: WalkRequest,
  cancel: CancelSignal,
): AsyncGenerator<WalkedFile> {
  const takes = fileFilter(request);
  const options = walkOptions(request);
  const waiting: WalkFolder[] = [{ ...WALK_START, relative: request.relative }];
  for (let folder = waiting.pop(); folder !== undefined && !cancel.aborted; folder = waiting.pop()) {
    const uri = folder.relative === "" ? root : vscode.Uri.joinPath(root, ...folder.relative.split("/"));
    const entries = await entriesOf(uri);
    const hasRules = options.useIgnoreFiles && entries.some(({ name }) => name === ".gitignore");
    const ignoreText = hasRules ? await textOf(vscode.Uri.joinPath(uri, ".gitignore")) : undefined;
    const sifted = filterFolder(folder, entries, ignoreText, options);
    for (const file of sifted.files) if (takes(file.relative)) yield file;
    waiting.push(...sifted.folders.toReversed());
  }
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined; // missing or unreadable
  }
}

async function entriesOf(uri: vscode.Uri): Promise<readonly FolderEntry[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
  } catch {
    return []; // skipped, as on a disk
  }
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

function kindOf(type: vscode.FileType): FolderEntry["kind"] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return "link";
  if ((type & vscode.FileType.Directory) !== 0) return "folder";
  return (type & vscode.FileType.File) !== 0 ? "file" : "other";
}
