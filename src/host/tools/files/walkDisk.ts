/** Walks the files of a workspace folder on this disk. */

import { compileGlob, type Glob } from "../search/glob.ts";
import { filterFolder, type FolderEntry, type WalkFolder, WALK_START, type WalkOptions } from "../search/walkRules.ts";
import type { WalkRequest } from "./fileTask.ts";
import type { LocalAccess } from "./localAccess.ts";

/** Of a file with rules; a larger one is ignored. */
const MOST_BYTES = 256 * 1024;

export interface WalkedFile {
  /** From the workspace folder on. */
  readonly relative: string;
  readonly isLink: boolean;
}

/**
 * Yields the files that `request` selects, those of a folder before those below it. Skips unreadable folders, and
 * worktrees below the first folder.
 */
export function* walkDisk(access: LocalAccess, request: WalkRequest): Generator<WalkedFile> {
  const takes = fileFilter(request);
  const options = walkOptions(request);
  const waiting: WalkFolder[] = [startOf(access, request)];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = access.list(request.rootIndex, folder.relative);
    if (!entries.ok) continue;
    const isStart = folder.relative === request.relative;
    if (!isStart && entries.value.some(isGitFile) && isWorktree(access, request.rootIndex, folder.relative)) continue;
    const hasRules = options.useIgnoreFiles && entries.value.some(({ name }) => name === ".gitignore");
    const ignoreText = hasRules ? readIgnoreFile(access, request.rootIndex, folder.relative) : undefined;
    const sifted = filterFolder(folder, entries.value, ignoreText, options);
    for (const file of sifted.files) if (takes(file.relative)) yield file;
    waiting.push(...sifted.folders.toReversed());
  }
}

/** Predicate for paths from the workspace folder on. */
export function fileFilter({ relative, glob }: WalkRequest): (file: string) => boolean {
  const compiled =
    glob === undefined ? undefined : compileGlob(glob, { braces: true, ignoreCase: !/[A-Z]/.test(glob) });
  if (compiled?.ok !== true) return () => true;
  const skip = relative === "" ? 0 : relative.length + 1;
  return (file) => compiled.value.matches(file.slice(skip));
}

export function walkOptions({ excludes, useIgnoreFiles }: WalkRequest): WalkOptions {
  const globs = excludes.flatMap((pattern): readonly Glob[] => {
    const compiled = compileGlob(pattern, { braces: true, ignoreCase: false });
    return compiled.ok ? [compiled.value] : [];
  });
  return { excludes: globs, useIgnoreFiles };
}

/** The first folder, with the ignore rules of its parents. */
function startOf(access: LocalAccess, { rootIndex, relative, useIgnoreFiles }: WalkRequest): WalkFolder {
  if (relative === "" || !useIgnoreFiles) return { ...WALK_START, relative };
  const segments = relative.split("/");
  let start = WALK_START;
  for (let length = 0; length < segments.length; length++) {
    const above = segments.slice(0, length).join("/");
    const text = readIgnoreFile(access, rootIndex, above);
    start = filterFolder({ ...start, relative: above }, [{ name: segments[length] ?? "", kind: "folder" }], text, {
      excludes: [],
      useIgnoreFiles,
    }).folders[0] ?? { ...start, relative: segments.slice(0, length + 1).join("/") };
  }
  return start;
}

function isGitFile({ name, kind }: FolderEntry): boolean {
  return name === ".git" && kind === "file";
}

/** Another checkout of a repository, whose files are copies. A submodule has such a file, too, but its own files. */
function isWorktree(access: LocalAccess, rootIndex: number, folder: string): boolean {
  return /^gitdir: .*[\\/]worktrees[\\/][^\\/]+\s*$/.test(readSmallFile(access, rootIndex, `${folder}/.git`) ?? "");
}

function readIgnoreFile(access: LocalAccess, rootIndex: number, folder: string): string | undefined {
  return readSmallFile(access, rootIndex, folder === "" ? ".gitignore" : `${folder}/.gitignore`);
}

function readSmallFile(access: LocalAccess, rootIndex: number, file: string): string | undefined {
  const opened = access.open(rootIndex, file);
  if (!opened.ok) return undefined;
  try {
    const { sizeBytes } = opened.value;
    if (sizeBytes > MOST_BYTES) return undefined;
    return new TextDecoder().decode(opened.value.read(0, sizeBytes));
  } finally {
    opened.value.close();
  }
}
