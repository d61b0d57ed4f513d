/**
 * Finds what can be added to a message by name: files, folders and symbols of the workspace, and what the editor shows.
 */

import * as vscode from "vscode";
import { systemClock } from "../../adapters/node/clock.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { localize } from "../../protocol/localize.ts";
import { cellLocation } from "../fromEditor/codeText.ts";
import { locateAll } from "../tools/files/workspaceFiles.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import { isInGitFolder } from "../tools/paths/guardedFiles.ts";
import { isTakenName } from "../tools/paths/requestedPath.ts";
import { activeSelection, cellOf, type SelectedText } from "../notebooks/openNotebooks.ts";
import { pathOrName, type Place, placeOfUri, resolvePlace } from "../tools/workspaceRoots.ts";
import { bestMatches } from "./fuzzyScore.ts";
import type { Mention } from "./mention.ts";
import { FileNames } from "./names/fileNames.ts";
import { nameWithLines, pathMention } from "./namedFiles.ts";

/** Menu items. */
const MOST_SHOWN = 30;
const MOST_SYMBOLS = 8;
/** Longest wait for the symbol providers, which must not delay the menu. */
const SYMBOLS_LIMIT_MS = 1_500;

export interface FoundMentions {
  /** Best first. */
  readonly mentions: readonly Mention[];
  /** Number of files that were looked at, where the workspace has more. */
  readonly lookedAt?: number;
  /** The names of files are still being read: after {@link MentionFinder.namesRead} there may be better ones. */
  readonly isReading?: boolean;
}

export class MentionFinder {
  readonly #dist: string;
  readonly #names: FileNames;

  /** `dist` is the folder of the bundled files. */
  constructor(dist: string) {
    this.#dist = dist;
    this.#names = new FileNames(dist, systemClock);
  }

  /** Matches of `query`; none when cancelled. */
  async find(query: string, cancel: CancelSignal): Promise<FoundMentions> {
    const [files, symbols] = await Promise.all([this.#files(query, cancel), symbolsLike(query, cancel)]);
    if (cancel.aborted) return { mentions: [] };
    const named = bestMatches(query, editorMentions(), ({ label }) => label, MOST_SHOWN);
    const found = files.mentions.slice(0, MOST_SHOWN - named.length - symbols.length);
    const mentions =
      query === "" ? [...named, ...found] : [...found.slice(0, 5), ...named, ...symbols, ...found.slice(5)];
    return { ...files, mentions };
  }

  /** Resolves when the names of files that are being read have been read. */
  async namesRead(): Promise<void> {
    await this.#names.reading;
  }

  dispose(): void {
    this.#names.dispose();
  }

  async #files(query: string, cancel: CancelSignal): Promise<FoundMentions> {
    const found = await this.#names.find(query, MOST_SHOWN, cancel);
    const paths = await this.#withHidden(query, openFirst(query, found?.paths ?? []));
    const cut = {
      ...(found?.isCut === true ? { lookedAt: found.looked } : {}),
      ...(found?.isReading === true ? { isReading: true } : {}),
    };
    const named = paths.length > 0 ? undefined : nameWithLines(query);
    if (named === undefined) return { mentions: paths.map((path) => pathMention(path)), ...cut };
    const files = ((await this.#names.find(named.name, MOST_SHOWN, cancel))?.paths ?? []).filter(isFile);
    return { mentions: files.map((path) => pathMention(path, named.lines)), ...cut };
  }

  /** A file that the editor hides is found by its whole path. */
  async #withHidden(query: string, paths: readonly string[]): Promise<readonly string[]> {
    if (!/[./]/.test(query) || paths.includes(query)) return paths;
    const place = resolvePlace(query);
    if (!place.ok || place.value.relative === "" || isInGitFolder(place.value.relative)) return paths;
    const [kind] = await locateAll(this.#dist, [place.value]);
    return kind === "file" && !paths.includes(place.value.shown) ? [place.value.shown, ...paths] : paths;
  }
}

function isFile(path: string): boolean {
  return !path.endsWith("/");
}

/** Files that are open are meant more often than others that match as well. */
function openFirst(query: string, paths: readonly string[]): readonly string[] {
  const open = openPaths();
  if (query === "") return [...new Set([...open, ...paths])];
  const isMeant = (path: string): boolean =>
    open.includes(path) &&
    path
      .slice(path.lastIndexOf("/") + 1)
      .toLowerCase()
      .includes(query.toLowerCase());
  return [...paths.filter(isMeant), ...paths.filter((path) => !isMeant(path))];
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

function isOffered({ relative }: Place): boolean {
  return !isInGitFolder(relative) && isTakenName(relative);
}

/** Paths of the workspace files that are open in tabs, each once. */
export function openPaths(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const paths = tabs.flatMap(({ input }) => {
    const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
    const place = isFile ? placeOfUri(input.uri) : undefined;
    return place === undefined || !isOffered(place) ? [] : [place.shown];
  });
  return [...new Set(paths)];
}

async function symbolsLike(query: string, cancel: CancelSignal): Promise<readonly Mention[]> {
  if (query.length < 2 || /[/ ]/.test(query)) return [];
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
  if (place === undefined || !isOffered(place)) return undefined;
  const lines = { first: location.range.start.line + 1, last: location.range.end.line + 1 };
  const at = `${place.shown}:${String(lines.first)}`;
  return { kind: "symbol", label: onOneLine(name), description: at, path: place.shown, lines };
}

function selectedPlace({ document, selection: { start, end } }: SelectedText): string {
  const cell = cellOf(document.uri);
  const path = pathOrName(cell?.notebook.uri ?? document.uri);
  const [firstLine, lastLine] = [start.line + 1, end.line + 1];
  if (cell === undefined) return `${path} ${String(firstLine)}–${String(lastLine)}`;
  return cellLocation(path, cell.number, firstLine, lastLine);
}
