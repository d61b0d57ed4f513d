/** Walks the files of a workspace folder on this disk. */

import { compileGlob, type Glob } from "../search/glob.ts";
import {
  type FilteredFolder,
  filterFolder,
  type FolderEntry,
  type WalkFolder,
  WALK_START,
  type WalkOptions,
} from "../search/walkRules.ts";
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
export function walkDisk(access: LocalAccess, request: WalkRequest): Generator<WalkedFile> {
  return new DiskWalk(access, request).files([startOf(access, request)]);
}

/** Reads folders by the rules of one request. */
export class DiskWalk {
  readonly #access: LocalAccess;
  readonly #request: WalkRequest;
  readonly #options: WalkOptions;
  readonly #takes: (file: string) => boolean;

  constructor(access: LocalAccess, request: WalkRequest) {
    this.#access = access;
    this.#request = request;
    this.#options = walkOptions(request);
    this.#takes = fileFilter(request);
  }

  /** Those in and below the folders that a walk came to. */
  *files(from: readonly WalkFolder[]): Generator<WalkedFile> {
    const waiting = from.toReversed();
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const sifted = this.read(folder);
      if (sifted === undefined) continue;
      for (const file of sifted.files) if (this.#takes(file.relative)) yield file;
      waiting.push(...sifted.folders.toReversed());
    }
  }

  /** Files and folders that a walk visits in one folder; `undefined` where it is gone, unreadable or a worktree. */
  read(folder: WalkFolder): FilteredFolder | undefined {
    const entries = this.#access.list(this.#request.rootIndex, folder.relative);
    if (!entries.ok) return undefined;
    const isStart = folder.relative === this.#request.relative;
    if (!isStart && entries.value.some(isGitFile) && this.#isWorktree(folder.relative)) return undefined;
    const hasRules = entries.value.some(({ name }) => name === ".gitignore");
    return filterFolder(folder, entries.value, hasRules ? this.#ignoreText(folder.relative) : undefined, this.#options);
  }

  /** The folder as a walk of the whole workspace folder comes to it; `undefined` where it does not. */
  folderAt(relative: string): WalkFolder | undefined {
    let folder: WalkFolder | undefined = WALK_START;
    for (const name of relative === "" ? [] : relative.split("/")) {
      const text = this.#ignoreText(folder.relative);
      folder = filterFolder(folder, [{ name, kind: "folder" }], text, this.#options).folders[0];
      if (folder === undefined || this.#isWorktree(folder.relative)) return undefined;
    }
    return folder;
  }

  #ignoreText(folder: string): string | undefined {
    const { useIgnoreFiles, rootIndex } = this.#request;
    return useIgnoreFiles ? readIgnoreFile(this.#access, rootIndex, folder) : undefined;
  }

  /** Another checkout of a repository, whose files are copies. A submodule has such a file, too, but its own files. */
  #isWorktree(folder: string): boolean {
    const text = readSmallFile(this.#access, this.#request.rootIndex, `${folder}/.git`);
    return text !== undefined && /^gitdir: .*[\\/]worktrees[\\/][^\\/]+\s*$/.test(text);
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

export function walkOptions({ excludes, useIgnoreFiles, skipped = [] }: WalkRequest): WalkOptions {
  const globs = excludes.flatMap((pattern): readonly Glob[] => {
    const compiled = compileGlob(pattern, { braces: true, ignoreCase: false });
    return compiled.ok ? [compiled.value] : [];
  });
  return { excludes: globs, useIgnoreFiles, skipped: new Set(skipped) };
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
