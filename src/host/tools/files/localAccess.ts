/**
 * The only access to files on this machine's disk. Nothing outside the workspace folders is reachable, whatever links,
 * races or special files exist: a path is resolved and opened without following a link, and then the open handle itself
 * is checked for its type and location. Every call blocks, so this runs in a worker thread.
 */

import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  realpathSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { ok, type Result } from "../../../core/result.ts";
import { isInGitFolder } from "../paths/guardedFiles.ts";
import { isInsideFolder, placeInside } from "../paths/insideFolder.ts";
import { spellingIn } from "../paths/spelling.ts";
import type { FolderEntry } from "../search/walkRules.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import {
  belongsToGit,
  leadsOutside,
  type NamedPlace,
  notFound,
  notWritten,
  systemFailure,
  wrongKind,
} from "./accessFailures.ts";
import { type ByteSource, isSameBytes } from "./byteSource.ts";
import {
  createEmpty,
  openFolder,
  openToRead,
  openToWrite,
  overwrite,
  placeOfHandle,
  readFolder,
  readFrom,
  removeEmpty,
} from "./openHandles.ts";

/** A location with all links resolved. */
export interface RealPlace {
  readonly rootIndex: number;
  /** With `/` between folders; empty for the workspace folder itself. */
  readonly relative: string;
}

/** `stamp` changes with the file. */
export interface Located extends RealPlace {
  readonly kind: "file" | "folder" | "missing";
  readonly stamp: string;
  /** The user may not write the file, or the folder that a missing one would be in. */
  readonly isReadOnly: boolean;
}

/** Where a file is written, and where that is without links, as it was checked before. */
export interface WriteTarget extends RealPlace {
  readonly real: string;
  /** The path for messages. */
  readonly shown: string;
}

export interface OpenedFile extends RealPlace, ByteSource {
  readonly stamp: string;
  close(): void;
}

/** Without `/proc`, how often a handle is compared with its path: an attacker's swap would have to win each race. */
const RACE_CHECKS = 16;

export class LocalAccess {
  /** Resolved paths; `undefined` for a folder that is not on this disk. */
  readonly #roots: readonly (string | undefined)[];
  readonly #written: readonly string[];
  readonly #placeOfHandle: (handle: number) => string | undefined;
  readonly #names: readonly string[];

  /**
   * `folders` are absolute; an empty one is not on this disk. `resolvePlace` returns the location of an open handle, where
   * the system can tell. `names` are those of the folders in messages, where several are open.
   */
  constructor(folders: readonly string[], placeOf = placeOfHandle, names: readonly string[] = []) {
    this.#written = folders;
    this.#names = names;
    this.#placeOfHandle = placeOf;
    this.#roots = folders.map((folder) => {
      try {
        return folder === "" ? undefined : realpathSync.native(folder);
      } catch {
        return undefined; // a removed folder has no files
      }
    });
  }

  /** For a missing file, the folder that it would be in must be inside too. */
  locate(rootIndex: number, relative: string): Result<Located, ToolFailure> {
    const real = this.#real(rootIndex, relative);
    if (!real.ok) return real.error.code === "NOT_FOUND" ? this.#locateMissing(rootIndex, relative) : real;
    try {
      const stat = statSync(real.value, { bigint: true });
      if (!stat.isFile() && !stat.isDirectory()) return wrongKind(this.#named(rootIndex, relative), "no ordinary file");
      const kind = stat.isFile() ? "file" : "folder";
      return ok({
        ...this.#placeOf(real.value),
        kind,
        stamp: stampOf(stat),
        isReadOnly: !isWritable(real.value, kind),
      });
    } catch (error) {
      return systemFailure(error, this.#named(rootIndex, relative));
    }
  }

  /**
   * The path as it is spelled on the disk: macOS writes accented letters and Hangul decomposed, people and models write
   * them composed. Names that are not there stay as they are.
   */
  spelling(rootIndex: number, relative: string): string {
    if (isThere(this.#absolute(rootIndex, relative))) return relative;
    const found: string[] = [];
    for (const name of relative.split("/")) {
      const isSpelled = isThere(this.#absolute(rootIndex, [...found, name].join("/")));
      const entries = isSpelled ? undefined : this.list(rootIndex, found.join("/"));
      found.push(entries?.ok === true ? spellingIn(entries.value, name) : name);
    }
    return found.join("/");
  }

  /** Opens a regular file. */
  open(rootIndex: number, relative: string): Result<OpenedFile, ToolFailure> {
    const real = this.#real(rootIndex, relative);
    if (!real.ok) return real;
    try {
      const kind = lstatSync(real.value);
      if (kind.isDirectory()) return wrongKind(this.#named(rootIndex, relative), "a folder, not a file");
      if (!kind.isFile()) return wrongKind(this.#named(rootIndex, relative), "no ordinary file");
      const handle = openToRead(real.value);
      let opened: Result<OpenedFile, ToolFailure> | undefined;
      try {
        opened = this.#opened(handle, rootIndex, relative);
        return opened;
      } finally {
        if (opened?.ok !== true) closeSync(handle);
      }
    } catch (error) {
      return systemFailure(error, this.#named(rootIndex, relative));
    }
  }

  /**
   * Replaces the bytes of a regular file that still has `before`. They are written to the handle that was checked, so
   * that nothing outside is, whatever its path leads to by then.
   */
  replace(target: WriteTarget, before: Uint8Array, after: Uint8Array): Result<undefined, ToolFailure> {
    const { rootIndex, relative, shown } = target;
    const real = this.#real(rootIndex, relative);
    if (!real.ok) return real;
    let handle: number | undefined;
    try {
      if (!lstatSync(real.value).isFile()) return wrongKind(this.#named(rootIndex, relative), "no ordinary file");
      handle = openToWrite(real.value);
      const opened = this.#opened(handle, rootIndex, relative);
      if (!opened.ok) return opened;
      const file = opened.value;
      if (isInGitFolder(file.relative)) return belongsToGit(this.#named(rootIndex, relative));
      const isSame = file.relative === target.real && isSameBytes(file.read(0, before.length + 1), before);
      if (!isSame) return failure("CONFLICT", `${shown} changed since the edit was proposed, so nothing was written.`);
      overwrite(handle, before, after);
      return ok(undefined);
    } catch (error) {
      return notWritten(error, shown);
    } finally {
      if (handle !== undefined) closeSync(handle);
    }
  }

  /** Creates a file, with its folders; fails where something is there. */
  create(target: WriteTarget, bytes: Uint8Array): Result<undefined, ToolFailure> {
    const { rootIndex, relative, shown } = target;
    const located = this.locate(rootIndex, relative);
    if (!located.ok) return located;
    if (located.value.kind !== "missing") {
      return failure("CONFLICT", `${shown} could not be created: it is there by now.`);
    }
    if (isInGitFolder(located.value.relative)) return belongsToGit(this.#named(rootIndex, relative));
    const root = this.#roots[located.value.rootIndex];
    if (root === undefined) return notFound(this.#named(rootIndex, relative));
    const names = located.value.relative.split("/");
    const name = names.pop() ?? "";
    let folder: ReturnType<typeof openFolder> | undefined;
    let handle: number | undefined;
    try {
      folder = openFolder(root, names, this.#placeOfHandle);
      handle = createEmpty(folder, name);
      const real =
        this.#placeOfHandle(handle) ?? this.#provenPlace(fstatSync(handle, { bigint: true }), rootIndex, relative);
      if (real === undefined || !this.#isInside(real) || this.#placeOf(real).relative !== target.real) {
        removeEmpty(folder, name, handle);
        return leadsOutside(this.#named(rootIndex, relative));
      }
      overwrite(handle, new Uint8Array(), bytes);
      return ok(undefined);
    } catch (error) {
      return notWritten(error, shown);
    } finally {
      if (handle !== undefined) closeSync(handle);
      folder?.close();
    }
  }

  /** Does not list git's own folder, however it is reached. */
  list(rootIndex: number, relative: string): Result<readonly FolderEntry[], ToolFailure> {
    const real = this.#real(rootIndex, relative);
    if (!real.ok) return real;
    try {
      if (!lstatSync(real.value).isDirectory())
        return wrongKind(this.#named(rootIndex, relative), "a file, not a folder");
      const { entries, place } = readFolder(real.value);
      const lies = place === undefined ? this.#real(rootIndex, relative) : ok(place);
      if (!lies.ok || !this.#isInside(lies.value)) return leadsOutside(this.#named(rootIndex, relative));
      if (isInGitFolder(this.#placeOf(lies.value).relative)) return belongsToGit(this.#named(rootIndex, relative));
      return ok(
        entries.map((entry) => ({
          name: entry.name,
          kind: entry.isDirectory() ? "folder" : entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "other",
        })),
      );
    } catch (error) {
      return systemFailure(error, this.#named(rootIndex, relative));
    }
  }

  #opened(handle: number, rootIndex: number, relative: string): Result<OpenedFile, ToolFailure> {
    const stat = fstatSync(handle, { bigint: true });
    if (!stat.isFile()) return wrongKind(this.#named(rootIndex, relative), "no ordinary file");
    const real = this.#placeOfHandle(handle) ?? this.#provenPlace(stat, rootIndex, relative);
    if (real === undefined || !this.#isInside(real)) return leadsOutside(this.#named(rootIndex, relative));
    return ok({
      ...this.#placeOf(real),
      sizeBytes: Number(stat.size),
      stamp: stampOf(stat),
      read: (offset, length) => readFrom(handle, offset, length),
      close: () => {
        closeSync(handle);
      },
    });
  }

  /** Where the system cannot locate a handle, its path has to lead to the same file, again and again. */
  #provenPlace(stat: BigIntStats, rootIndex: number, relative: string): string | undefined {
    let place: string | undefined;
    for (let round = 0; round < RACE_CHECKS; round++) {
      const real = this.#real(rootIndex, relative);
      if (!real.ok) return undefined;
      const there = statSync(real.value, { bigint: true });
      if (there.ino !== stat.ino || there.dev !== stat.dev) return undefined;
      place = real.value;
    }
    return place;
  }

  #locateMissing(rootIndex: number, relative: string): Result<Located, ToolFailure> {
    const segments = relative.split("/");
    for (let length = segments.length - 1; length >= 0; length--) {
      const above = segments.slice(0, length).join("/");
      const next = segments.slice(0, length + 1).join("/");
      if (isThere(this.#absolute(rootIndex, next)))
        return wrongKind(this.#named(rootIndex, next), "a link that leads nowhere");
      const real = this.#real(rootIndex, above);
      if (!real.ok && real.error.code === "NOT_FOUND") continue;
      if (!real.ok) return real;
      if (!isFolder(real.value)) return wrongKind(this.#named(rootIndex, above), "a file, not a folder");
      const place = this.#placeOf(real.value);
      const rest = segments.slice(length).join("/");
      const whole = place.relative === "" ? rest : `${place.relative}/${rest}`;
      const isReadOnly = !isWritable(real.value, "folder");
      return ok({ rootIndex: place.rootIndex, relative: whole, kind: "missing", stamp: "missing", isReadOnly });
    }
    return notFound(this.#named(rootIndex, relative));
  }

  #named(rootIndex: number, relative: string): NamedPlace {
    return { folder: this.#names[rootIndex] ?? "", relative };
  }

  #absolute(rootIndex: number, relative: string): string {
    return path.join(this.#written[rootIndex] ?? "", ...relative.split("/"));
  }

  #real(rootIndex: number, relative: string): Result<string, ToolFailure> {
    if (this.#roots[rootIndex] === undefined) return notFound(this.#named(rootIndex, relative));
    try {
      const real = realpathSync.native(this.#absolute(rootIndex, relative));
      return this.#isInside(real) ? ok(real) : leadsOutside(this.#named(rootIndex, relative));
    } catch (error) {
      return systemFailure(error, this.#named(rootIndex, relative));
    }
  }

  #isInside(real: string): boolean {
    return this.#roots.some((root) => root !== undefined && isInsideFolder(root, real, path));
  }

  /** The innermost workspace folder that contains a real path, and the relative path. */
  #placeOf(real: string): RealPlace {
    return placeInside(this.#roots, real, path);
  }
}

function stampOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}`;
}

/** Root may write everything, so the permissions of a file count as well. Those of folders mean nothing on Windows. */
function isWritable(real: string, kind: "file" | "folder"): boolean {
  try {
    accessSync(real, constants.W_OK);
    return kind === "folder" || (statSync(real).mode & 0o222) !== 0;
  } catch {
    return false;
  }
}

function isThere(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // a parent is a file
  }
}

function isFolder(real: string): boolean {
  return statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
}
