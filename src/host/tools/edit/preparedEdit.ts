/** Prepares an edit against the current file: the bytes that are to be there, so that all others stay as they are. */

import * as vscode from "vscode";
import { changesBetween, type TextChange, withChanges } from "../../../adapters/diff/textChanges.ts";
import { thrownText } from "../../../core/errors.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { ok, type Result } from "../../../core/result.ts";
import { codeOf } from "../../../protocol/hiddenSequence.ts";
import { newNotebook, notebookToEdit, rewriteCell } from "../../notebooks/notebookEdit.ts";
import { isNotebookName } from "../../notebooks/notebookJson.ts";
import { cellsText, isNotebookStamp, notebookStamp, parseCells } from "../../notebooks/notebookText.ts";
import { cellTexts, openNotebook } from "../../notebooks/openNotebooks.ts";
import { isReadOnlyFileSystem } from "../folderLimits.ts";
import type { SeenFiles } from "../seenFiles.ts";
import { isSameBytes } from "../files/byteSource.ts";
import {
  editorEncoding,
  locate,
  readBytes,
  readFileRange,
  stampOfDocument,
  unsavedDocument,
} from "../files/workspaceFiles.ts";
import { isInGitFolder } from "../paths/guardedFiles.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import type { Place } from "../workspaceRoots.ts";
import { changesOf, type TextEdit, withPlainLineEnds, writesRedactions } from "./applyEdits.ts";
import { withOwnLineEnds } from "./lineEnds.ts";
import { decodeFile, encodeText, type EncodedFile, spliceBytes, type SpliceProblem } from "./spliceBytes.ts";
import { codecFor, codecOf } from "./textCodec.ts";
import { waitUntilShown } from "./shownText.ts";

export type WantedEdit =
  | { readonly kind: "edits"; readonly edits: readonly TextEdit[] }
  | { readonly kind: "content"; readonly content: string }
  /** Computed from the current text, with `\n` line ends; `undefined`: the place is unclear. */
  | { readonly kind: "rewrite"; readonly rewrite: (before: string) => Promise<string | undefined> };

/** A change that can be shown and written. */
export interface PreparedEdit {
  readonly place: Place;
  /** Path without links, from the workspace folder on. */
  readonly realRelative: string;
  /** Undefined for a new file, and for a notebook. */
  readonly document: vscode.TextDocument | undefined;
  /** With the file's own line ends. */
  readonly before: string;
  readonly after: string;
  readonly changes: readonly TextChange[];
  readonly target: EditTarget;
}

/** The file's bytes; the unsaved document, which stays unsaved; or the cells of a notebook. */
export type EditTarget =
  | { readonly kind: "bytes"; readonly before: Uint8Array | undefined; readonly after: Uint8Array }
  | { readonly kind: "unsaved"; readonly version: number }
  | { readonly kind: "cells"; readonly notebook: vscode.NotebookDocument };

export function isNewFile({ target }: Pick<PreparedEdit, "target">): boolean {
  return target.kind === "bytes" && target.before === undefined;
}

const FIRST_LINE = { range: { first: 1, last: 1 }, mayHoldSecrets: true };
/** Comparing and showing a longer text would block the editor. */
const MOST_LENGTH = 1_000_000;
/** Bytes of a text of that length. */
const MOST_BYTES = 4 * MOST_LENGTH;

const UNCLEAR_PLACE = "Nothing says where in the file the text belongs.";

/** Prepares a change without making it. A file that is replaced as a whole must be as the model last saw it. */
export async function prepareEdit(
  { dist, seen }: { readonly dist: string; readonly seen: SeenFiles },
  place: Place,
  wanted: WantedEdit,
  cancel: CancelSignal,
): Promise<Result<PreparedEdit, ToolFailure>> {
  const located = await locate(dist, place, cancel);
  if (!located.ok) return located;
  const { kind, relative, isReadOnly } = located.value;
  if (isInGitFolder(relative) || isInGitFolder(place.relative)) {
    return failure("NOT_ALLOWED", "Files of git itself are never written: they decide what git runs.");
  }
  if (kind === "folder") return failure("WRONG_KIND", `${place.shown} is a folder, not a file.`);
  if (isReadOnlyFileSystem(place.root)) {
    const where = `${place.shown} is on a read-only file system`;
    return failure("READ_ONLY", `${where}: nothing there can be changed, by you or by the user. Nothing was written.`);
  }
  if (isReadOnly && (kind === "file" || wanted.kind !== "edits")) {
    return failure("READ_ONLY", `${place.shown} is read-only, so it is not changed. The user would have to allow it.`);
  }
  if (kind === "missing") return prepareNew(place, relative, wanted);
  if ([place.relative, relative].some(isNotebookName) || openNotebook(place.uri) !== undefined) {
    const prepared = await prepareNotebook({ dist, seen }, place, relative, wanted, cancel);
    if (prepared !== undefined) return prepared;
  }
  if (wanted.kind === "content") {
    const unsaved = unsavedDocument(place.uri);
    const stamp = unsaved === undefined ? located.value.stamp : stampOfDocument(unsaved);
    const last = seen.stampOf(place.uri.toString());
    if (last === undefined) return failure("CONFLICT", `Read ${place.shown} before you replace all of it.`);
    if (last !== stamp) return failure("CONFLICT", `${place.shown} changed since you read it. Read it again.`);
  }
  const opened = await openFile(dist, place, cancel);
  if (!opened.ok) return opened;
  const { document, bytes, file } = opened.value;
  const before = document.isDirty ? document.getText() : file.text;
  if (before.length > MOST_LENGTH) return failure("TOO_LARGE", `${place.shown} is too large to be edited by a tool.`);
  const plain = await plainChanges(withPlainLineEnds(before), wanted);
  if (!plain.ok) return plain;
  const changes = withOwnLineEnds(before, plain.value);
  const edit = { place, realRelative: relative, document, before, after: withChanges(before, changes), changes };
  const problem = problemOf(edit);
  if (problem !== undefined) return problem;
  if (document.isDirty) {
    const text = await encodeText(changes.map((change) => change.text).join(""), file.codec);
    if (!text.ok) return cannotBeWritten(text.error, place, file);
    return ok({ ...edit, target: { kind: "unsaved", version: document.version } });
  }
  const after = await spliceBytes(file, changes);
  if (!after.ok) return cannotBeWritten(after.error, place, file);
  return ok({ ...edit, target: { kind: "bytes", before: bytes, after: after.value } });
}

async function prepareNew(
  place: Place,
  realRelative: string,
  wanted: WantedEdit,
): Promise<Result<PreparedEdit, ToolFailure>> {
  if (wanted.kind === "edits") return failure("NOT_FOUND", `There is no ${place.shown}. Give "content" to create it.`);
  const plain = await plainChanges("", wanted);
  if (!plain.ok) return plain;
  const text = withChanges("", plain.value);
  const made = isNotebookName(place.relative) ? newNotebook(text) : ok(text);
  if (!made.ok) return made;
  const after = made.value;
  const edit = { place, realRelative, document: undefined, before: "", after, changes: changesBetween("", after) };
  const problem = problemOf(edit, true);
  if (problem !== undefined) return problem;
  const bytes = await newBytes(place, after);
  return bytes.ok ? ok({ ...edit, target: { kind: "bytes", before: undefined, after: bytes.value } }) : bytes;
}

/** The change of a notebook's cells; `undefined` for a file that is no notebook. */
async function prepareNotebook(
  { dist, seen }: { readonly dist: string; readonly seen: SeenFiles },
  place: Place,
  realRelative: string,
  wanted: WantedEdit,
  cancel: CancelSignal,
): Promise<Result<PreparedEdit, ToolFailure> | undefined> {
  const read = await readFileRange(dist, place, FIRST_LINE, cancel);
  if (!read.ok) return read;
  if (read.value.kind !== "lines" || !isNotebookStamp(read.value.stamp)) return undefined;
  const opened = await notebookToEdit(place, read.value.stamp);
  if (!opened.ok) return opened;
  const notebook = opened.value;
  const cells = cellTexts(notebook);
  const before = cellsText(cells);
  if (before.length > MOST_LENGTH) return failure("TOO_LARGE", `${place.shown} is too large to be edited by a tool.`);
  if (wanted.kind === "content") {
    const last = seen.stampOf(place.uri.toString())?.replace(/^unsaved:/, "");
    if (last === undefined) return failure("CONFLICT", `Read ${place.shown} before you replace all of it.`);
    if (last !== notebookStamp(cells)) {
      return failure("CONFLICT", `${place.shown} changed since you read it. Read it again.`);
    }
  }
  const text = await cellsAfter(notebook, before, wanted);
  if (!text.ok) return text;
  const parsed = parseCells(text.value, cells.length);
  if (!parsed.ok) return parsed;
  const after = text.value === "" || text.value.endsWith("\n") ? text.value : `${text.value}\n`;
  const edit = { place, realRelative, document: undefined, before, after, changes: changesBetween(before, after) };
  return problemOf(edit) ?? ok({ ...edit, target: { kind: "cells", notebook } });
}

async function cellsAfter(
  notebook: vscode.NotebookDocument,
  before: string,
  wanted: WantedEdit,
): Promise<Result<string, ToolFailure>> {
  if (wanted.kind === "rewrite") return rewriteCell(notebook, wanted.rewrite);
  const changes = await plainChanges(before, wanted);
  return changes.ok ? ok(withChanges(before, changes.value)) : changes;
}

/** In the encoding in which the editor would write a new file there. */
async function newBytes({ uri, shown }: Place, text: string): Promise<Result<Uint8Array, ToolFailure>> {
  const bytes = await vscode.workspace.encode(text, { uri });
  const { name } = editorEncoding(uri);
  const readings = await Promise.all([
    vscode.workspace.decode(bytes, { encoding: name }),
    vscode.workspace.decode(bytes, { uri }),
  ]);
  if (readings.includes(text.replace(/^\ufeff/, ""))) return ok(bytes);
  for (const character of new Set(text)) {
    const alone = await vscode.workspace.encode(character, { uri });
    if (character !== "?" && Buffer.from(alone).toString("latin1") === "?") return unknown(character, shown, name);
  }
  return failure("NOT_ALLOWED", `${shown} cannot hold all of this text in the encoding that the user's settings say.`);
}

/** Of the text with `\n` as line ends. */
async function plainChanges(before: string, wanted: WantedEdit): Promise<Result<readonly TextChange[], ToolFailure>> {
  switch (wanted.kind) {
    case "edits":
      return changesOf(before, wanted.edits);
    case "content":
      return ok(changesBetween(before, withPlainLineEnds(wanted.content)));
    case "rewrite": {
      const after = await wanted.rewrite(before);
      return after === undefined ? failure("INVALID_INPUT", UNCLEAR_PLACE) : ok(changesBetween(before, after));
    }
  }
}

function problemOf(
  { place, before, after }: Omit<PreparedEdit, "target">,
  isNew = false,
): Result<never, ToolFailure> | undefined {
  if (after.length > MOST_LENGTH) return failure("TOO_LARGE", `The new text of ${place.shown} is too large.`);
  if (!isNew && before === after) return failure("INVALID_INPUT", "The edit changes nothing.");
  if (!writesRedactions(before, after)) return undefined;
  const why = "A mark such as [redacted: …] stands for a secret that you were not shown; it is never written.";
  return failure("NOT_ALLOWED", why);
}

function cannotBeWritten(problem: SpliceProblem, { shown }: Place, { codec }: EncodedFile): Result<never, ToolFailure> {
  if (problem.kind === "character") return unknown(problem.character, shown, codec.name);
  const why = `${shown} has bytes at that place that mean nothing in ${codec.name}, and an edit would change them.`;
  return failure("ENCODING", `${why} Nothing was written.`);
}

function unknown(character: string, shown: string, encoding: string): Result<never, ToolFailure> {
  const what = `${character.trim() === "" ? "" : `“${character}” `}(${codeOf(character)})`;
  return failure("ENCODING", `${shown} is written in ${encoding}, which has no ${what}. Nothing was written.`);
}

interface OpenedFile {
  readonly document: vscode.TextDocument;
  readonly bytes: Uint8Array;
  readonly file: EncodedFile;
}

/** Opens the file as a document, with the checks for reading: text, size, location. */
async function openFile(dist: string, place: Place, cancel: CancelSignal): Promise<Result<OpenedFile, ToolFailure>> {
  const readable = await readFileRange(dist, place, FIRST_LINE, cancel);
  if (!readable.ok) return readable;
  try {
    const document = await vscode.workspace.openTextDocument(place.uri);
    const isCurrent = await waitUntilShown(document, () => bytesOf(dist, place, cancel), cancel);
    const read = await bytesOf(dist, place, cancel);
    if (!read.ok) return read;
    const bytes = read.value;
    if (!isCurrent)
      return failure("CONFLICT", `The editor does not show ${place.shown} as it is on the disk yet. Try again.`);
    const codec = document.isDirty ? codecOf(document.encoding) : codecFor(document.encoding, bytes);
    const file = await decodeFile(bytes, codec);
    if (document.isDirty && !isSameBytes(await codec.encode(file.text), file.body)) {
      const why = `${place.shown} has unsaved changes, and bytes that mean nothing in ${codec.name}, which are lost when it is saved.`;
      return failure("ENCODING", `${why} The user has to save it or give up the changes first. Nothing was changed.`);
    }
    return ok({ document, bytes, file });
  } catch (error) {
    return failure("FAILED", `The editor could not open ${place.shown}: ${thrownText(error)}`);
  }
}

async function bytesOf(dist: string, place: Place, cancel: CancelSignal): Promise<Result<Uint8Array, ToolFailure>> {
  const read = await readBytes(dist, place, true, MOST_BYTES, cancel);
  if (!read.ok) return read;
  if (read.value.kind === "bytes") return ok(read.value.bytes);
  return failure("TOO_LARGE", `${place.shown} is too large to be edited by a tool.`);
}
