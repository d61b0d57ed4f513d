/** Prepares an edit against the current file. */

import * as vscode from "vscode";
import { thrownText } from "../../../core/errors.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { SeenFiles } from "../seenFiles.ts";
import { locate, readFileRange, stampOfDocument, unsavedDocument } from "../files/workspaceFiles.ts";
import { isInGitFolder } from "../paths/guardedFiles.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import type { Place } from "../workspaceRoots.ts";
import { applyEdits, type TextEdit, withPlainLineEnds, writesRedactions } from "./applyEdits.ts";

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
  /** Undefined for a new file. */
  readonly document: vscode.TextDocument | undefined;
  /** With the file's own line ends. */
  readonly before: string;
  readonly after: string;
}

/** Comparing and showing a longer text would block the editor. */
const MOST_LENGTH = 1_000_000;

/** Longest wait for the editor to notice a change on disk, when it is made to reload, and the polling interval. */
const RELOAD_LIMIT_MS = 5_000;
const RELOAD_FORCED_AFTER_MS = 2_000;
const RELOAD_POLL_MS = 200;

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
  const { kind, relative } = located.value;
  if (isInGitFolder(relative) || isInGitFolder(place.relative)) {
    return failure("NOT_ALLOWED", "Files of git itself are never written: they decide what git runs.");
  }
  if (kind === "folder") return failure("WRONG_KIND", `${place.shown} is a folder, not a file.`);
  if (kind === "missing") return prepareNew(place, relative, wanted);
  if (wanted.kind === "content") {
    const unsaved = unsavedDocument(place.uri);
    const stamp = unsaved === undefined ? located.value.stamp : stampOfDocument(unsaved);
    const last = seen.stampOf(place.uri.toString());
    if (last === undefined) return failure("CONFLICT", `Read ${place.shown} before you replace all of it.`);
    if (last !== stamp) return failure("CONFLICT", `${place.shown} changed since you read it. Read it again.`);
  }
  const document = await openDocument({ dist }, place, cancel);
  if (!document.ok) return document;
  const before = document.value.getText();
  if (before.length > MOST_LENGTH) return failure("TOO_LARGE", `${place.shown} is too large to be edited by a tool.`);
  const after = await textAfter(before, wanted);
  if (!after.ok) return after;
  const withLineEnds =
    document.value.eol === vscode.EndOfLine.CRLF ? after.value.replaceAll("\n", "\r\n") : after.value;
  return checked({ place, realRelative: relative, document: document.value, before, after: withLineEnds });
}

async function prepareNew(
  place: Place,
  realRelative: string,
  wanted: WantedEdit,
): Promise<Result<PreparedEdit, ToolFailure>> {
  if (wanted.kind === "edits") return failure("NOT_FOUND", `There is no ${place.shown}. Give "content" to create it.`);
  const after = await textAfter("", wanted);
  return after.ok ? checked({ place, realRelative, document: undefined, before: "", after: after.value }) : after;
}

async function textAfter(before: string, wanted: WantedEdit): Promise<Result<string, ToolFailure>> {
  switch (wanted.kind) {
    case "edits":
      return applyEdits(withPlainLineEnds(before), wanted.edits);
    case "content":
      return ok(withPlainLineEnds(wanted.content));
    case "rewrite": {
      const after = await wanted.rewrite(withPlainLineEnds(before));
      return after === undefined ? failure("INVALID_INPUT", UNCLEAR_PLACE) : ok(after);
    }
  }
}

function checked(prepared: PreparedEdit): Result<PreparedEdit, ToolFailure> {
  const { place, document, before, after } = prepared;
  if (after.length > MOST_LENGTH) return failure("TOO_LARGE", `The new text of ${place.shown} is too large.`);
  if (document !== undefined && before === after) return failure("INVALID_INPUT", "The edit changes nothing.");
  if (writesRedactions(before, after)) {
    const why = "A mark such as [redacted: …] stands for a secret that you were not shown; it is never written.";
    return failure("NOT_ALLOWED", why);
  }
  return ok(prepared);
}

/** Opens the file as a document, with the checks for reading: text, size, location. */
async function openDocument(
  { dist }: { readonly dist: string },
  place: Place,
  cancel: CancelSignal,
): Promise<Result<vscode.TextDocument, ToolFailure>> {
  const readable = await readFileRange(dist, place, { range: { first: 1, last: 1 }, mayHoldSecrets: true }, cancel);
  if (!readable.ok) return readable;
  try {
    const document = await vscode.workspace.openTextDocument(place.uri);
    if (await waitUntilAsOnDisk(document, cancel)) return ok(document);
    return failure("CONFLICT", `The editor does not show ${place.shown} as it is on the disk yet. Try again.`);
  } catch (error) {
    return failure("FAILED", `The editor could not open ${place.shown}: ${thrownText(error)}`);
  }
}

/**
 * The editor notices changes on disk only after a while; an edit of a stale document could not be saved. Waits for it,
 * and makes it reload where it notices nothing. Unsaved changes of the user take precedence.
 */
async function waitUntilAsOnDisk(document: vscode.TextDocument, cancel: CancelSignal): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= RELOAD_LIMIT_MS && !cancel.aborted; waitedMs += RELOAD_POLL_MS) {
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    const onDisk = await vscode.workspace.decode(bytes, { uri: document.uri });
    if (document.isDirty || isSameText(document.getText(), onDisk)) return true;
    if (waitedMs === RELOAD_FORCED_AFTER_MS) await reloadFromDisk(document);
    await new Promise((resolve) => setTimeout(resolve, RELOAD_POLL_MS));
  }
  return false;
}

/** The editor reloads only the active file; without unsaved changes, a revert loses nothing. */
async function reloadFromDisk(document: vscode.TextDocument): Promise<void> {
  const { document: inFront } = await vscode.window.showTextDocument(document, { preview: true });
  if (inFront.isDirty || vscode.window.activeTextEditor?.document !== inFront) return;
  await vscode.commands.executeCommand("workbench.action.files.revert");
}

function isSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) =>
    withPlainLineEnds(text)
      .replaceAll("\r", "\n")
      .replace(/^\ufeff/, ""),
  );
  return a === b;
}
