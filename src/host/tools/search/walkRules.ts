/**
 * Which files of a folder a search visits. Knows only names, so that the same rules serve a disk and a virtual file
 * system.
 */

import type { Glob } from "./glob.ts";
import { IgnoreRules } from "./ignoreRules.ts";

/** Links are never followed: their targets are found in their own place, or are outside. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** A folder on the way, with the ignore rules that apply in it. */
export interface WalkFolder {
  /** From the workspace folder on; empty for that itself. */
  readonly relative: string;
  /** Of the parents and this folder, outermost first. */
  readonly rules: readonly { readonly from: string; readonly rules: IgnoreRules }[];
}

/** The entries to visit, sorted by name. */
export interface FilteredFolder {
  readonly files: readonly { readonly relative: string; readonly isLink: boolean }[];
  readonly folders: readonly WalkFolder[];
}

export interface WalkOptions {
  /** Paths from the workspace folder on. */
  readonly excludes: readonly Glob[];
  /** Exclude what `.gitignore` files name. */
  readonly useIgnoreFiles: boolean;
  /** Folders that are not entered, from the workspace folder on. */
  readonly skipped?: ReadonlySet<string>;
}

export const WALK_START: WalkFolder = { relative: "", rules: [] };

/** Filters the entries of `folder`; `ignoreText` is the text of its `.gitignore`, if any. */
export function filterFolder(
  folder: WalkFolder,
  entries: readonly FolderEntry[],
  ignoreText: string | undefined,
  options: WalkOptions,
): FilteredFolder {
  const own = ignoreText === undefined || !options.useIgnoreFiles ? [] : [new IgnoreRules(ignoreText)];
  const rules = [...folder.rules, ...own.map((read) => ({ from: folder.relative, rules: read }))];
  const files: { relative: string; isLink: boolean }[] = [];
  const folders: WalkFolder[] = [];
  for (const { name, kind } of entries.toSorted(byName)) {
    if (kind === "other" || name.toLowerCase() === ".git") continue;
    const relative = folder.relative === "" ? name : `${folder.relative}/${name}`;
    if (options.excludes.some((glob) => glob.matches(relative))) continue;
    if (isIgnored(relative, kind === "folder", rules)) continue;
    if (kind === "folder" && options.skipped?.has(relative) === true) continue;
    if (kind === "folder") folders.push({ relative, rules });
    else files.push({ relative, isLink: kind === "link" });
  }
  return { files, folders };
}

/** By UTF-16 units: the same order on every machine. */
function byName(one: FolderEntry, other: FolderEntry): number {
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

function isIgnored(relative: string, isFolder: boolean, levels: WalkFolder["rules"]): boolean {
  for (const { from, rules } of levels.toReversed()) {
    const judged = rules.judge(from === "" ? relative : relative.slice(from.length + 1), isFolder);
    if (judged !== undefined) return judged;
  }
  return false;
}
