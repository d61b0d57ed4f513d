/** The files of a workspace by name, with the folders that they are in. Each is there once. */

import { PathIndex } from "./pathIndex.ts";

export class NameList {
  readonly #index = new PathIndex();
  readonly #folders = new Set<string>();
  /** Files that were told before the walk that fills the list came to them. */
  readonly #early = new Set<string>();
  #isFilled = false;
  /** Files and folders that are listed; beyond it there are more. */
  readonly #most: number;
  isCut = false;

  constructor(most: number) {
    this.#most = most;
  }

  get isFilled(): boolean {
    return this.#isFilled;
  }

  get size(): number {
    return this.#index.size;
  }

  /** A file that a walk came to; false for one that was told before. */
  add(path: string): boolean {
    if (this.#early.delete(path)) return false;
    this.#put(path);
    return true;
  }

  /** The walk is done. */
  filled(): void {
    this.#isFilled = true;
    this.#early.clear();
  }

  hasFolder(path: string): boolean {
    return this.#folders.has(path);
  }

  best(query: string, most: number): readonly string[] {
    return this.#index.best(query, most);
  }

  /**
   * Folders as they were read anew, by path: their files, and their folders with a slash at the end; `undefined` where a
   * folder is gone. What they do not have any more goes, with all below it. `more` are the files of new folders.
   */
  update(read: ReadonlyMap<string, ReadonlySet<string> | undefined>, more: readonly string[]): void {
    const isGone = (path: string): boolean => {
      const parent = parentOf(path);
      const isRead = read.has(parent);
      return (isRead && read.get(parent)?.has(path) !== true) || isGoneFolder(path);
    };
    const isGoneFolder = (path: string): boolean => {
      const folder = path.endsWith("/") ? path.slice(0, -1) : path;
      return read.has(folder) && read.get(folder) === undefined;
    };
    const gone = new Set([...this.#folders].filter(isGone));
    const fresh = new Set([...[...read.values()].flatMap((paths) => [...(paths ?? [])].filter(isFile)), ...more]);
    this.#keep((path) => {
      fresh.delete(path);
      return !isGone(path) && (gone.size === 0 || !foldersOf(path).some((folder) => gone.has(folder)));
    });
    for (const path of fresh) {
      if (!this.#isFilled) this.#early.add(path);
      this.#put(path);
    }
  }

  /** Files that only the host can see: `now` in place of `before`. */
  replace(before: readonly string[], now: readonly string[]): void {
    const fresh = new Set(now);
    const old = new Set(before.filter((path) => !fresh.has(path)));
    this.#keep((path) => {
      fresh.delete(path);
      return !old.has(path);
    });
    for (const path of fresh) this.#put(path);
  }

  #keep(isKept: (path: string) => boolean): void {
    this.#index.keep((path) => {
      const keeps = isKept(path);
      if (!keeps) {
        this.#folders.delete(path);
        this.#early.delete(path);
      }
      return keeps;
    });
  }

  #put(path: string): void {
    if (this.size >= this.#most) {
      this.isCut = true;
      return;
    }
    this.#index.add(path);
    for (const folder of foldersOf(path)) {
      if (this.#folders.has(folder)) break; // and so are its parents
      this.#folders.add(folder);
      this.#index.add(folder);
    }
  }
}

/** "src/net/" and "src/" of "src/net/a.ts", innermost first. */
function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  const end = path.endsWith("/") ? path.length - 2 : path.length;
  for (let at = path.lastIndexOf("/", end); at > 0; at = path.lastIndexOf("/", at - 1)) {
    folders.push(path.slice(0, at + 1));
  }
  return folders;
}

/** "src" of "src/a.ts" and of "src/net/". */
function parentOf(path: string): string {
  const at = path.lastIndexOf("/", path.endsWith("/") ? path.length - 2 : path.length);
  return at < 0 ? "" : path.slice(0, at);
}

function isFile(path: string): boolean {
  return !path.endsWith("/");
}
