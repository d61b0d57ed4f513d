/**
 * Finds what can be added to a message by name: files, folders and symbols of the workspace, what the editor shows, and
 * the user's other conversations.
 */

import * as vscode from "vscode";
import { systemClock } from "../../adapters/node/clock.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { localize } from "../../protocol/localize.ts";
import { cellLocation } from "../fromEditor/codeText.ts";
import { locateVirtual } from "../tools/files/virtualFiles.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import { isInGitFolder } from "../tools/paths/guardedFiles.ts";
import { isTakenName } from "../tools/paths/requestedPath.ts";
import { activeSelection, cellOf, type SelectedText } from "../notebooks/openNotebooks.ts";
import { pathOrName, type Place, placeOfUri, resolvePlace } from "../tools/workspaceRoots.ts";
import { bestMatches } from "./fuzzyScore.ts";
import type { Mention } from "./mention.ts";
import { FileNames } from "./names/fileNames.ts";
import { nameWithLines, pathMention } from "./namedFiles.ts";
import type { PastConversations } from "./pastConversations.ts";

/** Menu items. */
const MOST_SHOWN = 30;
const MOST_SYMBOLS = 8;
/** Wait for what may come late before the menu is shown without it; and after that, for the symbol providers. */
const LATE_DELAY_MS = 30;
const SYMBOLS_LIMIT_MS = 1_500;

export interface FoundMentions {
  /** Best first. */
  readonly mentions: readonly Mention[];
  /** Number of files that were looked at, where the workspace has more. */
  readonly lookedAt?: number;
  /** The names of files are still being read: the matches are told once more. */
  readonly isReading?: boolean;
}

export class MentionFinder {
  readonly #names: FileNames;
  readonly #past: Pick<PastConversations, "byTitle" | "byContent" | "refresh">;

  /** `dist` is the folder of the bundled files. */
  constructor(dist: string, past: Pick<PastConversations, "byTitle" | "byContent" | "refresh">) {
    this.#past = past;
    this.#names = new FileNames(dist, systemClock);
  }

  /**
   * Matches of `query`, told at once, once more for each kind that comes late, and once more when the names of files
   * have been read; never after it was cancelled. What comes late is told after the others, which stay in their places:
   * a key must not choose what a reader did not see.
   */
  async find(query: string, cancel: CancelSignal, tell: (found: FoundMentions) => void): Promise<void> {
    if (query === "") this.#past.refresh();
    const symbols = symbolsLike(query, cancel);
    const titles = this.#past.byTitle(query);
    const delay = after(LATE_DELAY_MS);
    const files = await this.#files(query, cancel);
    const early = await Promise.all([symbols, titles].map((some) => Promise.race([some, delay])));
    const isCancelled = (): boolean => cancel.aborted;
    if (isCancelled()) return;
    const [symbolsInTime = [], titlesInTime = []] = early;
    const named = bestMatches(query, editorMentions(), ({ label }) => label, MOST_SHOWN);
    const others = [...named, ...symbolsInTime, ...titlesInTime];
    const found = files.mentions.slice(0, MOST_SHOWN - others.length);
    let mentions = query === "" ? [...named, ...found] : [...found.slice(0, 5), ...others, ...found.slice(5)];
    tell({ ...files, mentions });
    if (files.isReading === true) {
      await this.#names.reading;
      if (!isCancelled()) await this.find(query, cancel, tell);
      return;
    }
    const tellLate = async (late: Promise<readonly Mention[] | undefined>): Promise<void> => {
      const more = await late;
      if (isCancelled() || more === undefined || more.length === 0) return;
      mentions = [...mentions, ...more];
      tell({ ...files, mentions });
    };
    await Promise.all([
      early[0] === undefined ? tellLate(Promise.race([symbols, after(SYMBOLS_LIMIT_MS)])) : undefined,
      early[1] === undefined ? tellLate(titles) : undefined,
      tellLate(this.#past.byContent(query, cancel)),
    ]);
  }

  dispose(): void {
    this.#names.dispose();
  }

  async #files(query: string, cancel: CancelSignal): Promise<FoundMentions> {
    const place = wholePlace(query);
    const isOnDisk = place?.root.folderPath !== undefined;
    const found = await this.#names.find(query, MOST_SHOWN, cancel, isOnDisk ? place : undefined);
    const listed = openFirst(query, found?.paths ?? []);
    // A file that the editor hides is found by its whole path.
    const isThere = found?.isFile === true || (place !== undefined && !isOnDisk && (await isVirtualFile(place)));
    const paths = place === undefined || !isThere || listed.includes(place.shown) ? listed : [place.shown, ...listed];
    const cut = {
      ...(found?.isCut === true ? { lookedAt: found.looked } : {}),
      ...(found?.isReading === true ? { isReading: true } : {}),
    };
    const named = paths.length > 0 ? undefined : nameWithLines(query);
    if (named === undefined) return { mentions: paths.map((path) => pathMention(path)), ...cut };
    const files = ((await this.#names.find(named.name, MOST_SHOWN, cancel))?.paths ?? []).filter(isFile);
    return { mentions: files.map((path) => pathMention(path, named.lines)), ...cut };
  }
}

/** The place that a query is the whole path of, if it can be one. */
function wholePlace(query: string): Place | undefined {
  const place = /[./]/.test(query) ? resolvePlace(query) : undefined;
  return place?.ok === true && place.value.relative !== "" && isOffered(place.value) ? place.value : undefined;
}

async function isVirtualFile(place: Place): Promise<boolean> {
  const entry = await locateVirtual(place);
  return entry.ok && entry.value.kind === "file";
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
  const found: unknown = await vscode.commands.executeCommand("vscode.executeWorkspaceSymbolProvider", query);
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

function after(delayMs: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(undefined);
    }, delayMs);
  });
}
