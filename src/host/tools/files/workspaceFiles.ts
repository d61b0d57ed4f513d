/** The files of the open folders, as tools read them: on this disk by a thread, elsewhere by the editor. */

import path from "node:path";
import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { ok, type Result } from "../../../core/result.ts";
import { mayHoldSecrets } from "../paths/guardedFiles.ts";
import type { FolderEntry } from "../search/walkRules.ts";
import type { ToolFailure } from "../toolFailure.ts";
import { type Place, workspaceRoots } from "../workspaceRoots.ts";
import type { FromFileWorker, LocatedKind, PlaceRequest, ReadAnswer, ReadRequest, WalkRequest } from "./fileTask.ts";
import { type FileThreadOptions, runFileTask } from "./fileThread.ts";
import type { LineRange } from "./lineIndex.ts";
import { listVirtual, locateVirtual, readVirtual } from "./virtualFiles.ts";

/** What is at a place, once links are followed. */
export interface LocatedPlace {
  readonly kind: "file" | "folder" | "missing";
  /** From its workspace folder on, and real. */
  readonly relative: string;
  /** Changes when the file does. */
  readonly stamp: string;
}

/** Which files of a folder are gone through. */
export interface WalkChoice {
  readonly glob: string | undefined;
  /** Also what `.gitignore` files and the editor's settings leave out. */
  readonly includeIgnored: boolean;
  readonly most: number;
}

/** How threads are started for the folders that are open now. */
export function threadOptions(dist: string): FileThreadOptions {
  const folders = workspaceRoots().map(({ folderPath }) => folderPath ?? "");
  return { workerFile: path.join(dist, "fileWorker.cjs"), folders };
}

/** The place as the thread is asked about it. */
export function placeRequest({ rootIndex, relative, shown }: Place): PlaceRequest {
  return { rootIndex, relative, shown };
}

/** Says what is at a place, and that it is inside. */
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
    answer: (message) => (message.kind === "locate" ? message.result : undefined),
  });
}

/** Says what is at each of some places, in their order; for all that are on this disk one thread is started. */
export async function locateAll(dist: string, places: readonly Place[]): Promise<readonly LocatedKind[]> {
  const never = new AbortController().signal;
  const onDisk = places.filter(({ root }) => root.folderPath !== undefined);
  const task = { kind: "locateAll", places: onDisk.map(placeRequest) } as const;
  const answer = (message: FromFileWorker) => (message.kind === "locateAll" ? message.result : undefined);
  const asked = onDisk.length === 0 ? ok([]) : await runFileTask(threadOptions(dist), task, { cancel: never, answer });
  const kinds = new Map(onDisk.map((place, index) => [place, asked.ok ? asked.value[index] : undefined]));
  return Promise.all(
    places.map(async (place) => {
      if (place.root.folderPath !== undefined) return kinds.get(place);
      const entry = await locateVirtual(place);
      return entry.ok ? entry.value.kind : undefined;
    }),
  );
}

/** Says what is in a folder. */
export async function list(
  dist: string,
  place: Place,
  cancel: CancelSignal,
): Promise<Result<readonly FolderEntry[], ToolFailure>> {
  if (place.root.folderPath === undefined) return listVirtual(place);
  const task = { kind: "list", place: placeRequest(place) } as const;
  return runFileTask(threadOptions(dist), task, {
    cancel,
    answer: (message) => (message.kind === "list" ? message.result : undefined),
  });
}

/** Reads lines of a file: as the editor shows it where it has changes that are not saved. */
export async function read(
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
      answer: (message) => (message.kind === "read" ? message.result : undefined),
    },
  );
}

/** The request for a walk that begins at `place`. */
export function walkRequest(place: Place, { glob, includeIgnored, most }: WalkChoice): WalkRequest {
  const scoped = vscode.workspace.getConfiguration(undefined, place.root.uri);
  const excludes = includeIgnored
    ? []
    : [...globsOf(scoped.get("files.exclude")), ...globsOf(scoped.get("search.exclude"))];
  const useIgnoreFiles = !includeIgnored && scoped.get("search.useIgnoreFiles") !== false;
  return { ...placeRequest(place), glob, excludes, useIgnoreFiles, most };
}

/** The encoding that the user set for a file. */
export function encodingOf(uri: vscode.Uri): string {
  const set = vscode.workspace.getConfiguration("files", uri).get("encoding");
  return typeof set === "string" ? set : "utf8";
}

/** The document of a file that has changes which are not saved. */
export function unsavedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === wanted);
}

/** Says of a document what tells its states apart. */
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

/** Patterns that are switched on in a setting such as `files.exclude`. */
function globsOf(setting: unknown): readonly string[] {
  if (typeof setting !== "object" || setting === null) return [];
  return Object.entries(setting).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
}
