/**
 * Finds what can be added to a message by name: files, folders and symbols of the workspace, and what the editor shows.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../core/cancellation.ts";
import { localize } from "../../protocol/localize.ts";
import { cellLocation } from "../fromEditor/codeText.ts";
import { findFilesIn, displayPathIn } from "../tools/findFiles.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import { isInGitFolder } from "../tools/paths/guardedFiles.ts";
import { activeSelection, cellOf, type SelectedText } from "../notebooks/openNotebooks.ts";
import { pathOrName, placeOfUri, rootPlaces } from "../tools/workspaceRoots.ts";
import { bestMatches } from "./fuzzyScore.ts";
import type { Mention } from "./mention.ts";
import { namedFiles } from "./namedFiles.ts";

/** Menu items. */
const MOST_SHOWN = 30;
const MOST_SYMBOLS = 8;
/** Files listed; those beyond are found by naming more of their folder. */
const MOST_FILES = 20_000;
/** Lifetime of the file list: a burst of key presses lists the folders once. */
const FRESH_MS = 10_000;
/** Longest wait for the symbol providers, which must not delay the menu. */
const SYMBOLS_LIMIT_MS = 1_500;

export class MentionFinder {
  readonly #dist: string;
  #files: { readonly paths: readonly string[]; readonly atMs: number } | undefined;

  /** `dist` is the folder of the bundled files. */
  constructor(dist: string) {
    this.#dist = dist;
  }

  /** Matches of `query`, best first; none when cancelled. */
  async find(query: string, cancel: CancelSignal): Promise<readonly Mention[]> {
    const [paths, symbols] = await Promise.all([this.#paths(cancel), symbolsLike(query, cancel)]);
    if (cancel.aborted) return [];
    const named = bestMatches(query, editorMentions(), ({ label }) => label, MOST_SHOWN);
    const count = MOST_SHOWN - named.length - symbols.length;
    const found = namedFiles(query, pathsFirst(openPaths(), paths), count);
    return query === "" ? [...named, ...found] : [...found.slice(0, 5), ...named, ...symbols, ...found.slice(5)];
  }

  async #paths(cancel: CancelSignal): Promise<readonly string[]> {
    const known = this.#files;
    if (known !== undefined && Date.now() - known.atMs < FRESH_MS) return known.paths;
    const paths: string[] = [];
    for (const place of rootPlaces()) {
      const choice = { glob: undefined, includeIgnored: false, most: MOST_FILES - paths.length };
      const found = await findFilesIn(this.#dist, place, choice, cancel);
      if (found.ok) paths.push(...found.value.files.map((file) => displayPathIn(place, file)));
    }
    if (!cancel.aborted) this.#files = { paths, atMs: Date.now() };
    return paths;
  }
}

/** Mentions that do not depend on the query, where they have content. */
function editorMentions(): readonly Mention[] {
  const mentions: Mention[] = [];
  const selected = activeSelection();
  if (selected !== undefined && !selected.selection.isEmpty) {
    mentions.push({ kind: "selection", label: localize("Selection"), description: selectedPlace(selected) });
  }
  const problems = vscode.languages.getDiagnostics().reduce((sum, [, found]) => sum + found.length, 0);
  mentions.push({
    kind: "problems",
    label: localize("Problems"),
    description: problems === 0 ? localize("none") : String(problems),
  });
  mentions.push({ kind: "diff", label: localize("Git diff"), description: localize("changes that are not committed") });
  if (vscode.window.activeTerminal !== undefined) {
    mentions.push({
      kind: "terminal",
      label: localize("Terminal"),
      description: onOneLine(vscode.window.activeTerminal.name),
    });
  }
  const open = openPaths().length;
  if (open > 0) mentions.push({ kind: "editors", label: localize("Open editors"), description: String(open) });
  return mentions;
}

/** Paths of the workspace files that are open in tabs, each once. */
export function openPaths(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const paths = tabs.flatMap(({ input }) => {
    const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
    const place = isFile ? placeOfUri(input.uri) : undefined;
    return place === undefined || isInGitFolder(place.relative) ? [] : [place.shown];
  });
  return [...new Set(paths)];
}

async function symbolsLike(query: string, cancel: CancelSignal): Promise<readonly Mention[]> {
  if (query.length < 2 || query.includes("/")) return [];
  const asked = vscode.commands.executeCommand("vscode.executeWorkspaceSymbolProvider", query);
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => {
      resolve(undefined);
    }, SYMBOLS_LIMIT_MS);
  });
  const found: unknown = await Promise.race([asked, late]);
  if (cancel.aborted || !Array.isArray(found)) return [];
  return found
    .filter((symbol) => symbol instanceof vscode.SymbolInformation)
    .flatMap((symbol) => symbolMention(symbol) ?? [])
    .slice(0, MOST_SYMBOLS);
}

function symbolMention({ name, location }: vscode.SymbolInformation): Mention | undefined {
  const place = placeOfUri(location.uri);
  if (place === undefined || isInGitFolder(place.relative)) return undefined;
  const lines = { first: location.range.start.line + 1, last: location.range.end.line + 1 };
  const at = `${place.shown}:${String(lines.first)}`;
  return { kind: "symbol", label: onOneLine(name), description: at, path: place.shown, lines };
}

function pathsFirst(first: readonly string[], paths: readonly string[]): readonly string[] {
  return [...new Set([...first, ...paths])];
}

function selectedPlace({ document, selection: { start, end } }: SelectedText): string {
  const cell = cellOf(document.uri);
  const path = onOneLine(pathOrName(cell?.notebook.uri ?? document.uri));
  const [firstLine, lastLine] = [start.line + 1, end.line + 1];
  if (cell === undefined) return `${path} ${String(firstLine)}–${String(lastLine)}`;
  return cellLocation(path, cell.number, firstLine, lastLine);
}
