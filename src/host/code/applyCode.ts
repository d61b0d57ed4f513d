/** Applies code of an answer to a file: as a diff that the user accepts or refuses, and that undo reverts. */

import type { CodeToHost } from "../../protocol/toHost.ts";
import * as vscode from "vscode";
import { inSlices } from "../../core/cooperativeTask.ts";
import { localize } from "../../protocol/localize.ts";
import { fileUriOf } from "../notebooks/openNotebooks.ts";
import { SeenFiles } from "../tools/seenFiles.ts";
import { revealChange, writeEdit } from "../tools/edit/applyProposal.ts";
import { type PreparedEdit, prepareEdit } from "../tools/edit/preparedEdit.ts";
import { proposalOf, type ProposedEdits } from "../tools/edit/proposedEdits.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import { type ToolFailure } from "../tools/toolFailure.ts";
import { findPlace } from "../tools/files/workspaceFiles.ts";
import { type Place, placeOfUri } from "../tools/workspaceRoots.ts";
import { userTextEditor } from "./codeInEditor.ts";
import { placeCode, type SelectedRange } from "./placeCode.ts";
import { pathInDiff } from "./unifiedDiff.ts";
import { resolveFileNames } from "./workspaceNames.ts";
import { showInformation } from "../editor/boxes/messages.ts";

/** Only the user ends the review of the diff. */
const NEVER = new AbortController().signal;
/** Keeps the editor responsive while the place is searched for. */
const PACE = { cancel: NEVER, yieldToHost: () => new Promise<void>((resolve) => setImmediate(resolve)) };

export async function applyCode(
  { text, path }: Extract<CodeToHost, { kind: "code" }>,
  dist: string,
  proposals: ProposedEdits,
): Promise<void> {
  const code = text.replaceAll("\r\n", "\n");
  const place = await targetOf(path === "" ? pathInDiff(code) : path, dist);
  if (place === undefined) return;
  const selected = selectionIn(place);
  const tried = { isUnclear: false };
  const rewrite = async (before: string): Promise<string | undefined> => {
    const placed = await inSlices(placeCode(before, code, selected), PACE);
    const after = placed.ok ? placed.value : undefined;
    tried.isUnclear = after === undefined;
    return after;
  };
  const wanted = { kind: "rewrite", rewrite } as const;
  const prepared = await prepareEdit({ dist, seen: new SeenFiles() }, place, wanted, NEVER);
  if (!prepared.ok) {
    notify(tried.isUnclear ? unclear(place) : failureMessage(prepared.error, place));
    return;
  }
  if ((await proposals.propose(proposalOf(prepared.value), NEVER)) === "accepted") await write(dist, prepared.value);
}

/** The file that the code names, else the active one; `undefined` when there is none, and the user was notified. */
async function targetOf(named: string, dist: string): Promise<Place | undefined> {
  if (named !== "") {
    const found = (await resolveFileNames(dist, [named])).get(named);
    if (found !== undefined) return found.place;
    const place = await findPlace(dist, named);
    if (place.ok) return place.value;
    notify(localize("{0} is not in the open folders, so nothing was changed.", onOneLine(named)));
    return undefined;
  }
  const editor = userTextEditor();
  if (editor === undefined) {
    notify(localize("Open the file that the code belongs to, then apply it."));
    return undefined;
  }
  const place = placeOfUri(fileUriOf(editor.document.uri));
  if (place === undefined) {
    const words = localize(
      "The active file is not in the open folders. Code can be inserted there at the cursor, and applied to files in the open folders.",
    );
    notify(words);
  }
  return place;
}

/**
 * The selection in the file, if it spans lines: a single word may be selected by chance. Offsets count a line end as
 * one.
 */
function selectionIn(place: Place): SelectedRange | undefined {
  const editor = userTextEditor();
  if (editor?.document.uri.toString() !== place.uri.toString()) return undefined;
  const { document, selection } = editor;
  if (selection.isSingleLine) return undefined;
  const offsetOf = (position: vscode.Position): number =>
    document.offsetAt(position) - (document.eol === vscode.EndOfLine.CRLF ? position.line : 0);
  return { start: offsetOf(selection.start), end: offsetOf(selection.end) };
}

async function write(dist: string, prepared: PreparedEdit): Promise<void> {
  const written = await writeEdit(dist, prepared);
  const shown = onOneLine(prepared.place.shown);
  if (written.ok) await revealChange(prepared);
  else if (written.error.code !== "CONFLICT")
    notify(localize("{0} could not be written. It is as it was before.", shown));
  else notify(localize("{0} changed since the edit was proposed, so nothing was written.", shown));
}

function unclear(place: Place): string {
  return localize(
    "It is not clear where in {0} this code belongs. Select the lines that it replaces and apply it again, or insert it at the cursor.",
    onOneLine(place.shown),
  );
}

function failureMessage({ code }: ToolFailure, place: Place): string {
  const shown = onOneLine(place.shown);
  switch (code) {
    case "INVALID_INPUT":
      return localize("{0} has this code already; nothing was changed.", shown);
    case "OUTSIDE_WORKSPACE":
      return localize("{0} is not in the open folders, so nothing was changed.", shown);
    case "NOT_ALLOWED":
      return localize(
        "{0} was not changed: Forge does not write git’s own files, or text with a placeholder for a secret.",
        shown,
      );
    case "READ_ONLY":
      return localize("{0} is read-only, so nothing was changed.", shown);
    case "ENCODING":
      return localize(
        "{0} was not changed: its encoding has no bytes for this code, or the place has bytes that the encoding does not know.",
        shown,
      );
    case "WRONG_KIND":
    case "BINARY":
      return localize("{0} is not a text file, so nothing was changed.", shown);
    case "TOO_LARGE":
      return localize("{0} is too large to be changed here.", shown);
    case "CONFLICT":
      return localize("{0} is changing on the disk; nothing was changed. Try again.", shown);
    default:
      return localize("{0} could not be read, so nothing was changed.", shown);
  }
}

function notify(text: string): void {
  void showInformation(text);
}
