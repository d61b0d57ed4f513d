/** Access to workspace files for tools: on this disk through a thread, elsewhere through the editor. */

import path from "node:path";
import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { ok, type Result } from "../../../core/result.ts";
import { openNotebook, readOpenNotebook } from "../../notebooks/openNotebooks.ts";
import { mayHoldSecrets } from "../paths/guardedFiles.ts";
import { nestedFolders } from "../paths/requestedPath.ts";
import type { FolderEntry } from "../search/walkRules.ts";
import type { ToolFailure } from "../toolFailure.ts";
import { type Place, placeAt, resolvePlace, workspaceRoots } from "../workspaceRoots.ts";
import type {
  BytesAnswer,
  FileThreadMessage,
  LocatedKind,
  PlaceRequest,
  ReadAnswer,
  ReadRequest,
  WalkRequest,
} from "./fileTask.ts";
import { type FileThreadOptions, runFileTask } from "./fileThread.ts";
import type { LineRange } from "./lineIndex.ts";
import { enabledGlobs, isReadOnlyInEditor } from "./readOnlyFiles.ts";
import { listVirtual, locateVirtual, readVirtual, spellingInVirtual, writeVirtual } from "./virtualFiles.ts";

/** The location with links resolved. */
export interface LocatedPlace {
  readonly kind: "file" | "folder" | "missing";
  /** Real path, from the workspace folder on. */
  readonly relative: string;
  /** Changes with the file. */
  readonly stamp: string;
  /** By its permissions, or by the editor's settings. */
  readonly isReadOnly: boolean;
}

export interface WalkChoice {
  readonly glob: string | undefined;
  /** Also what `.gitignore` files and the editor's settings exclude. */
  readonly includeIgnored: boolean;
  readonly most: number;
  /** Leave out the open folders inside this one, as each is walked by itself. */
  readonly skipNested?: boolean;
}

export function threadOptions(dist: string): FileThreadOptions {
  const roots = workspaceRoots();
  const folders = roots.map(({ folderPath }) => folderPath ?? "");
  const names = roots.length > 1 ? roots.map(({ name }) => name) : [];
  return { workerFile: path.join(dist, "fileWorker.cjs"), folders, names };
}

export function placeRequest({ rootIndex, relative, shown }: Place): PlaceRequest {
  return { rootIndex, relative, shown };
}

/** Fails where the place is outside the workspace. */
export async function locate(
  dist: string,
  place: Place,
  cancel: CancelSignal,
): Promise<Result<LocatedPlace, ToolFailure>> {
  if (place.root.folderPath === undefined) {
    const entry = await locateVirtual(place);
    if (!entry.ok) return entry;
    const isReadOnly = entry.value.isReadOnly || isReadOnlyInEditor(place);
    return ok({ ...entry.value, relative: place.relative, isReadOnly });
  }
  const task = { kind: "locate", place: placeRequest(place) } as const;
  const located = await runFileTask(threadOptions(dist), task, {
    cancel,
    pickResult: (message) => (message.kind === "locate" ? message.result : undefined),
  });
  if (!located.ok || located.value.isReadOnly) return located;
  return ok({ ...located.value, isReadOnly: isReadOnlyInEditor(place) });
}

/** Resolves a path that a model or the user wrote, in the spelling of the disk. */
export async function findPlace(dist: string, text: string): Promise<Result<Place, ToolFailure>> {
  const written = resolvePlace(text);
  return written.ok ? ok(await spelledPlace(dist, written.value)) : written;
}

/** The place in the spelling of the disk, where its letters are composed otherwise. */
export async function spelledPlace(dist: string, place: Place): Promise<Place> {
  return (await spelledPlaces(dist, [place]))[0] ?? place;
}

/** In the order of `places`; one thread serves all. */
export async function spelledPlaces(dist: string, places: readonly Place[]): Promise<readonly Place[]> {
  const wanted = places.filter(({ relative }) => /[^\0-\x7f]/.test(relative));
  const onDisk = wanted.filter(({ root }) => root.folderPath !== undefined);
  const task = { kind: "spelling", places: onDisk.map(placeRequest) } as const;
  const pickResult = (message: FileThreadMessage) => (message.kind === "spelling" ? message.result : undefined);
  const cancel = new AbortController().signal;
  const found = onDisk.length === 0 ? ok([]) : await runFileTask(threadOptions(dist), task, { cancel, pickResult });
  const spelled = new Map(onDisk.map((place, index) => [place, found.ok ? found.value[index] : undefined]));
  for (const place of wanted) if (!spelled.has(place)) spelled.set(place, await spellingInVirtual(place));
  return places.map((place) => {
    const relative = spelled.get(place);
    return relative === undefined || relative === place.relative ? place : placeAt(place, relative);
  });
}

/** In the order of `places`; one thread serves all that are on this disk. */
export async function locateAll(dist: string, places: readonly Place[]): Promise<readonly LocatedKind[]> {
  const never = new AbortController().signal;
  const onDisk = places.filter(({ root }) => root.folderPath !== undefined);
  const task = { kind: "locateAll", places: onDisk.map(placeRequest) } as const;
  const pickResult = (message: FileThreadMessage) => (message.kind === "locateAll" ? message.result : undefined);
  const asked =
    onDisk.length === 0 ? ok([]) : await runFileTask(threadOptions(dist), task, { cancel: never, pickResult });
  const kinds = new Map(onDisk.map((place, index) => [place, asked.ok ? asked.value[index] : undefined]));
  return Promise.all(
    places.map(async (place) => {
      if (place.root.folderPath !== undefined) return kinds.get(place);
      const entry = await locateVirtual(place);
      return entry.ok ? entry.value.kind : undefined;
    }),
  );
}

export async function listFolder(
  dist: string,
  place: Place,
  cancel: CancelSignal,
): Promise<Result<readonly FolderEntry[], ToolFailure>> {
  if (place.root.folderPath === undefined) return listVirtual(place);
  const task = { kind: "list", place: placeRequest(place) } as const;
  return runFileTask(threadOptions(dist), task, {
    cancel,
    pickResult: (message) => (message.kind === "list" ? message.result : undefined),
  });
}

/** Reads lines of a file, with its unsaved changes if it has any. */
export async function readFileRange(
  dist: string,
  place: Place,
  wanted: { readonly range: LineRange; readonly mayHoldSecrets: boolean },
  cancel: CancelSignal,
): Promise<Result<ReadAnswer, ToolFailure>> {
  const origin = await originOf(dist, place, wanted.mayHoldSecrets, cancel);
  if (!origin.ok) return origin;
  if (origin.value === "askFirst") return ok({ kind: "askFirst" });
  const encoding = editorEncoding(place.uri).name;
  const request: ReadRequest = { ...placeRequest(place), ...wanted, origin: origin.value, encoding };
  return runFileTask(
    threadOptions(dist),
    { kind: "read", read: request },
    {
      cancel,
      pickResult: (message) => (message.kind === "read" ? message.result : undefined),
    },
  );
}

export function walkRequest(place: Place, { glob, includeIgnored, most, skipNested }: WalkChoice): WalkRequest {
  const scoped = vscode.workspace.getConfiguration(undefined, place.root.uri);
  const excludes = includeIgnored
    ? []
    : [...enabledGlobs(scoped.get("files.exclude")), ...enabledGlobs(scoped.get("search.exclude"))];
  const useIgnoreFiles = !includeIgnored && scoped.get("search.useIgnoreFiles") !== false;
  const skipped = skipNested === true ? nestedFolders(place.rootIndex, workspaceRoots()) : [];
  return { ...placeRequest(place), glob, excludes, useIgnoreFiles, most, skipped };
}

/** The encoding in which the editor shows a file; where it is not open, the one of the settings, or a guess. */
export function editorEncoding(uri: vscode.Uri): { readonly name: string; readonly isGuessed: boolean } {
  const open = openDocumentOf(uri);
  if (open !== undefined) return { name: open.encoding, isGuessed: false };
  const files = vscode.workspace.getConfiguration("files", uri);
  const set = files.get("encoding");
  const languages = vscode.workspace.getConfiguration("files", uri).inspect("encoding")?.languageIds ?? [];
  const isGuessed = files.get("autoGuessEncoding") === true || languages.length > 0;
  return { name: typeof set === "string" ? set : "utf8", isGuessed };
}

function openDocumentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === wanted);
}

export function unsavedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const open = openDocumentOf(uri);
  return open?.isDirty === true ? open : undefined;
}

/** Changes with the document's text. */
export function stampOfDocument(document: vscode.TextDocument): string {
  return `unsaved:${document.version}`;
}

/** Larger files are decoded in the thread, which does not know all of the editor's encodings. */
const MOST_DECODED_BYTES = 8 * 1024 * 1024;

async function originOf(
  dist: string,
  place: Place,
  mayRead: boolean,
  cancel: CancelSignal,
): Promise<Result<ReadRequest["origin"] | "askFirst", ToolFailure>> {
  const isVirtual = place.root.folderPath === undefined;
  if (isVirtual && mayHoldSecrets(place.relative) && !mayRead) return ok("askFirst");
  const notebook = openNotebook(place.uri);
  if (notebook !== undefined) return ok({ kind: "text", ...readOpenNotebook(notebook) });
  const unsaved = unsavedDocument(place.uri);
  if (unsaved !== undefined) {
    return ok({ kind: "text", text: unsaved.getText(), stamp: stampOfDocument(unsaved) });
  }
  const { name, isGuessed } = editorEncoding(place.uri);
  const isUtf8 = name.startsWith("utf8") && !isGuessed;
  if (!isVirtual && isUtf8) return ok({ kind: "disk" });
  const fetched = await readBytes(dist, place, mayRead, MOST_DECODED_BYTES, cancel);
  if (!fetched.ok) return fetched;
  if (fetched.value.kind === "askFirst") return ok("askFirst");
  if (fetched.value.kind !== "bytes") return ok({ kind: "disk" });
  const { bytes, stamp } = fetched.value;
  const text = isUtf8 ? undefined : await decodedByEditor(bytes, place.uri);
  return ok(text === undefined ? { kind: "bytes", bytes, stamp } : { kind: "text", text, stamp });
}

/** All bytes of a file, through the checks of the thread, or of the virtual file system. */
export async function readBytes(
  dist: string,
  place: Place,
  hasAgreed: boolean,
  mostBytes: number,
  cancel: CancelSignal,
): Promise<Result<BytesAnswer, ToolFailure>> {
  if (place.root.folderPath === undefined) {
    const fetched = await readVirtual(place);
    return fetched.ok ? ok({ kind: "bytes", ...fetched.value }) : fetched;
  }
  const task = { kind: "bytes", place: placeRequest(place), mayHoldSecrets: hasAgreed, mostBytes } as const;
  return runFileTask(threadOptions(dist), task, {
    cancel,
    pickResult: (message) => (message.kind === "bytes" ? message.result : undefined),
  });
}

/** A thread that is ended while it writes would leave half a file. */
const WRITE_LIMIT_MS = 10 * 60_000;

/** Replaces the bytes of a file that still has `before`, or creates it, only at `real`, its path without links. */
export async function writeBytes(
  dist: string,
  place: Place,
  real: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
): Promise<Result<undefined, ToolFailure>> {
  if (place.root.folderPath === undefined) return writeVirtual(place, before, after);
  const task = { kind: "write", write: { ...placeRequest(place), real, before, after } } as const;
  return runFileTask({ ...threadOptions(dist), limitMs: WRITE_LIMIT_MS }, task, {
    cancel: new AbortController().signal,
    pickResult: (message) => (message.kind === "write" ? message.result : undefined),
  });
}

/** `undefined` for what the editor takes for binary. */
async function decodedByEditor(bytes: Uint8Array, uri: vscode.Uri): Promise<string | undefined> {
  const encoding = openDocumentOf(uri)?.encoding;
  try {
    if (encoding === undefined) return await vscode.workspace.decode(bytes, { uri });
    return await vscode.workspace.decode(bytes, { encoding });
  } catch {
    return undefined;
  }
}
