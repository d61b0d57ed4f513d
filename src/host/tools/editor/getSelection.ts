/** `get_selection`: the user's selection and open files. */

import { beginningOf } from "../../../core/cutText.ts";
import * as v from "valibot";
import * as vscode from "vscode";
import { ok, type Result } from "../../../core/result.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { localize } from "../../../protocol/localize.ts";
import { locate } from "../files/workspaceFiles.ts";
import { activeSelection, cellOf, fileUriOf, type SelectedText } from "../../notebooks/openNotebooks.ts";
import { onOneLine } from "../hiddenText.ts";
import { hostTool, titleOnlyView, type ReportBug } from "../hostTool.ts";
import { isInGitFolder, mayHoldSecrets } from "../paths/guardedFiles.ts";
import { sanitizeText, dataText, fenced } from "../resultText.ts";
import type { ToolFailure } from "../toolFailure.ts";
import { placeOfUri } from "../workspaceRoots.ts";

const MOST_LENGTH = 64_000;
const MOST_TABS = 100;
const OUTSIDE = "a file outside the workspace, which is not shown";

export function getSelectionTool(dist: string, reportBug: ReportBug): Tool {
  return hostTool(
    {
      name: "get_selection",
      description: "Gives the file in front of the user, the text that is selected in it, and the files that are open.",
      effect: "reads",
      input: v.strictObject({}),
      view: () => titleOnlyView(localize("Look at the selection and the open files")),
      run: (_input, cancel) => selection(dist, cancel),
    },
    reportBug,
  );
}

async function selection(dist: string, cancel: CancelSignal): Promise<Result<string, ToolFailure>> {
  const selected = activeSelection();
  const parts = selected === undefined ? ["No text editor is in front."] : await describe(dist, selected, cancel);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const names = tabs.slice(0, MOST_TABS).map((tab) => `- ${tabName(tab)}${tab.isDirty ? " (not saved)" : ""}`);
  const more = tabs.length > MOST_TABS ? [`- and ${tabs.length - MOST_TABS} more`] : [];
  const open = tabs.length === 0 ? ["No files are open."] : ["Open:", ...names, ...more];
  const clean = sanitizeText([...parts, ...open].join("\n"));
  return ok(dataText({ heading: "What the user sees", body: clean.text, changes: clean }));
}

async function describe(
  dist: string,
  { document, selection: selected }: SelectedText,
  cancel: CancelSignal,
): Promise<string[]> {
  const name = await readableName(dist, document, cancel);
  if (name === undefined) return [`In front: ${nameOf(fileUriOf(document.uri))}. Its text is not shown.`];
  const heading = `In front: ${name} (${document.languageId})`;
  const { start, end } = selected;
  if (selected.isEmpty) return [`${heading}, the cursor in line ${start.line + 1}, nothing selected.`];
  const lines = start.line === end.line ? `line ${start.line + 1}` : `lines ${start.line + 1}–${end.line + 1}`;
  const text = document.getText(selected);
  const cut = text.length > MOST_LENGTH ? ` The first ${MOST_LENGTH} characters of it:` : "";
  return [`${heading}, selected in ${lines}:${cut}`, fenced(beginningOf(text, MOST_LENGTH))];
}

/** The name of a document whose text may be sent without asking; `undefined` for any other. */
async function readableName(
  dist: string,
  document: vscode.TextDocument,
  cancel: CancelSignal,
): Promise<string | undefined> {
  const inNotebook = cellOf(document.uri);
  const cell = inNotebook === undefined ? "" : `, cell ${inNotebook.number}`;
  const uri = inNotebook?.notebook.uri ?? document.uri;
  if (uri.scheme === "untitled") return onOneLine(uri.path) + cell;
  const place = placeOfUri(uri);
  if (place === undefined) return undefined;
  const located = await locate(dist, place, cancel);
  const paths = [place.relative, ...(located.ok ? [located.value.relative] : [])];
  const isGuarded = paths.some((path) => mayHoldSecrets(path) || isInGitFolder(path));
  return located.ok && !isGuarded ? place.shown + cell : undefined;
}

function tabName({ input, label }: vscode.Tab): string {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) return nameOf(input.uri);
  if (input instanceof vscode.TabInputTextDiff) return `${nameOf(input.modified)} (a diff)`;
  return `${onOneLine(label)} (no text file)`;
}

function nameOf(uri: vscode.Uri): string {
  if (uri.scheme === "untitled") return `${onOneLine(uri.path)} (new)`;
  const place = placeOfUri(uri);
  return place === undefined ? OUTSIDE : place.shown;
}
