/**
 * Which files of a folder a search looks at. Knows names alone, so that the same rules serve a disk and a file system that
 * an extension provides.
 */

import type { Glob } from "./glob.ts";
import { IgnoreRules } from "./ignoreRules.ts";

/** Something in a folder. A link is never followed: what it leads to is found in its own place, or is outside. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** A folder on the way, with the rules that hold in it. */
export interface WalkFolder {
  /** From the workspace folder on; empty for that itself. */
  readonly relative: string;
  /** Of the folders above and this one, outermost first. */
  readonly rules: readonly { readonly from: string; readonly rules: IgnoreRules }[];
}

/** What of a folder is looked at, in the order of names. */
export interface SiftedFolder {
  readonly files: readonly { readonly relative: string; readonly isLink: boolean }[];
  readonly folders: readonly WalkFolder[];
}

/** What is left out. */
export interface WalkOptions {
  /** Paths from the workspace folder on. */
  readonly excludes: readonly Glob[];
  /** Leave out what `.gitignore` files name. */
  readonly useIgnoreFiles: boolean;
}

/** Where a walk begins. */
export const WALK_START: WalkFolder = { relative: "", rules: [] };

/** Sifts the content of `folder`; `ignoreText` is that of its `.gitignore`, where it has one. */
export function siftFolder(
  folder: WalkFolder,
  entries: readonly FolderEntry[],
  ignoreText: string | undefined,
  options: WalkOptions,
): SiftedFolder {
  const own = ignoreText === undefined || !options.useIgnoreFiles ? [] : [new IgnoreRules(ignoreText)];
  const rules = [...folder.rules, ...own.map((read) => ({ from: folder.relative, rules: read }))];
  const files: { relative: string; isLink: boolean }[] = [];
  const folders: WalkFolder[] = [];
  for (const { name, kind } of entries.toSorted(byName)) {
    if (kind === "other" || name.toLowerCase() === ".git") continue;
    const relative = folder.relative === "" ? name : `${folder.relative}/${name}`;
    if (options.excludes.some((glob) => glob.matches(relative))) continue;
    if (isIgnored(relative, kind === "folder", rules)) continue;
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
