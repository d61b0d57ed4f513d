/** Access to workspace files for tools: on this disk through a thread, elsewhere through the editor. */

import path from "node:path";
import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { ok, type Result } from "../../../core/result.ts";
import { mayHoldSecrets } from "../paths/guardedFiles.ts";
import type { FolderEntry } from "../search/walkRules.ts";
import type { ToolFailure } from "../toolFailure.ts";
import { type Place, workspaceRoots } from "../workspaceRoots.ts";
import type { FileThreadMessage, LocatedKind, PlaceRequest, ReadAnswer, ReadRequest, WalkRequest } from "./fileTask.ts";
import { type FileThreadOptions, runFileTask } from "./fileThread.ts";
import type { LineRange } from "./lineIndex.ts";
import { listVirtual, locateVirtual, readVirtual } from "./virtualFiles.ts";

/** The location with links resolved. */
export interface LocatedPlace {
  readonly kind: "file" | "folder" | "missing";
  /** Real path, from the workspace folder on. */
  readonly relative: string;
  /** Changes with the file. */
  readonly stamp: string;
}

export interface WalkChoice {
  readonly glob: string | undefined;
  /** Also what `.gitignore` files and the editor's settings exclude. */
  readonly includeIgnored: boolean;
  readonly most: number;
}

export function threadOptions(dist: string): FileThreadOptions {
  const folders = workspaceRoots().map(({ folderPath }) => folderPath ?? "");
  return { workerFile: path.join(dist, "fileWorker.cjs"), folders };
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
    return entry.ok ? ok({ ...entry.value, relative: place.relative }) : entry;
  }
  const task = { kind: "locate", place: placeRequest(place) } as const;
  return runFileTask(threadOptions(dist), task, {
    cancel,
    pickResult: (message) => (message.kind === "locate" ? message.result : undefined),
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
  const origin = await originOf(place, wanted.mayHoldSecrets);
  if (!origin.ok) return origin;
  if (origin.value === "askFirst") return ok({ kind: "askFirst" });
  const request: ReadRequest = {
    ...placeRequest(place),
    ...wanted,
    origin: origin.value,
    encoding: encodingOf(place.uri),
  };
  return runFileTask(
    threadOptions(dist),
    { kind: "read", read: request },
    {
      cancel,
      pickResult: (message) => (message.kind === "read" ? message.result : undefined),
    },
  );
}

export function walkRequest(place: Place, { glob, includeIgnored, most }: WalkChoice): WalkRequest {
  const scoped = vscode.workspace.getConfiguration(undefined, place.root.uri);
  const excludes = includeIgnored
    ? []
    : [...globsOf(scoped.get("files.exclude")), ...globsOf(scoped.get("search.exclude"))];
  const useIgnoreFiles = !includeIgnored && scoped.get("search.useIgnoreFiles") !== false;
  return { ...placeRequest(place), glob, excludes, useIgnoreFiles, most };
}

export function encodingOf(uri: vscode.Uri): string {
  const set = vscode.workspace.getConfiguration("files", uri).get("encoding");
  return typeof set === "string" ? set : "utf8";
}

export function unsavedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === wanted);
}

/** Changes with the document's text. */
export function stampOfDocument(document: vscode.TextDocument): string {
  return `unsaved:${document.version}`;
}

async function originOf(
  place: Place,
  mayRead: boolean,
): Promise<Result<ReadRequest["origin"] | "askFirst", ToolFailure>> {
  const isVirtual = place.root.folderPath === undefined;
  if (isVirtual && mayHoldSecrets(place.relative) && !mayRead) return ok("askFirst");
  const unsaved = unsavedDocument(place.uri);
  if (unsaved !== undefined) {
    return ok({ kind: "text", text: unsaved.getText(), stamp: stampOfDocument(unsaved) });
  }
  if (!isVirtual) return ok({ kind: "disk" });
  const fetched = await readVirtual(place);
  return fetched.ok ? ok({ kind: "bytes", ...fetched.value }) : fetched;
}

/** The enabled patterns of a setting such as `files.exclude`. */
function globsOf(setting: unknown): readonly string[] {
  if (typeof setting !== "object" || setting === null) return [];
  return Object.entries(setting).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
}
