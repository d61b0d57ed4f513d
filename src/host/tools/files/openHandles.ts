/** Handles of files and folders, which stay the same even if their paths are swapped. */

import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import path from "node:path";

/**
 * Does not follow a link at the end of the path, and does not block on a pipe without a writer. Throws as Node does.
 */
export function openToRead(real: string): number {
  return openSync(real, constants.O_RDONLY | ifThere(constants.O_NOFOLLOW) | ifThere(constants.O_NONBLOCK));
}

/** The same for reading and writing; the file must be there. */
export function openToWrite(real: string): number {
  return openSync(real, constants.O_RDWR | ifThere(constants.O_NOFOLLOW) | ifThere(constants.O_NONBLOCK));
}

/**
 * Replaces the content `before` of an open file. What is longer is written first, and all is put back where something
 * fails, so that a full disk takes nothing away.
 */
export function overwrite(handle: number, before: Uint8Array, after: Uint8Array): void {
  try {
    writeAt(handle, after.subarray(before.length), before.length);
    writeAt(handle, after.subarray(0, before.length), 0);
    if (after.length < before.length) ftruncateSync(handle, after.length);
    fsyncSync(handle);
  } catch (error) {
    writeAt(handle, before, 0);
    ftruncateSync(handle, before.length);
    throw error;
  }
}

/** An open folder, in which files are created whatever its path leads to by then. */
export interface OpenFolder {
  /** Path of an entry, by the open handle where the system can. */
  readonly entry: (name: string) => string;
  readonly close: () => void;
}

/** Opens the folder `names` below `root`, and creates what is missing. No link is followed, but on Windows. */
export function openFolder(
  root: string,
  names: readonly string[],
  placeOf: (handle: number) => string | undefined,
  system: NodeJS.Platform = process.platform,
): OpenFolder {
  if (system === "win32") {
    const folder = path.join(root, ...names);
    mkdirSync(folder, { recursive: true });
    return { entry: (name) => path.join(folder, name), close: () => undefined };
  }
  let handle = openSync(root, FOLDER);
  let real = root;
  const entry = (name: string): string =>
    placeOf(handle) === undefined ? path.join(real, name) : `/proc/self/fd/${handle}/${name}`;
  try {
    for (const name of names) {
      const below = entry(name);
      if (lstatSync(below, { throwIfNoEntry: false }) === undefined) mkdirSync(below);
      const next = openSync(below, FOLDER);
      closeSync(handle);
      handle = next;
      real = path.join(real, name);
    }
  } catch (error) {
    closeSync(handle);
    throw error;
  }
  return {
    entry,
    close: () => {
      closeSync(handle);
    },
  };
}

/** Fails where something of this name is there, even a link. */
export function createEmpty(folder: OpenFolder, name: string): number {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | ifThere(constants.O_NOFOLLOW);
  return openSync(folder.entry(name), flags, 0o666);
}

/** Removes a file that was created in the wrong place. */
export function removeEmpty(folder: OpenFolder, name: string, handle: number): void {
  const [there, created] = [lstatSync(folder.entry(name), { throwIfNoEntry: false }), fstatSync(handle)];
  if (there?.ino === created.ino && there.dev === created.dev) unlinkSync(folder.entry(name));
}

/** Current path of an open handle; `undefined` where the system cannot tell: only Linux can, by `/proc`. */
export function placeOfHandle(handle: number, system: NodeJS.Platform = process.platform): string | undefined {
  if (system !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${handle}`);
  } catch {
    return undefined; // without /proc
  }
}

/** At most `length` bytes from `offset` on; fewer at the end of the file. */
export function readFrom(handle: number, offset: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(handle, bytes, filled, length - filled, offset + filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}

/** The entries of a folder, and its path; `place` is `undefined` where the system cannot tell. */
export function readFolder(
  real: string,
  system: NodeJS.Platform = process.platform,
): { readonly entries: readonly Dirent[]; readonly place: string | undefined } {
  if (system !== "linux") return { entries: readdirSync(real, { withFileTypes: true }), place: undefined };
  const handle = openSync(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const place = placeOfHandle(handle, system);
    const readable = place === undefined ? real : `/proc/self/fd/${handle}`;
    return { entries: readdirSync(readable, { withFileTypes: true }), place };
  } finally {
    closeSync(handle);
  }
}

const FOLDER = constants.O_RDONLY | ifThere(constants.O_DIRECTORY) | ifThere(constants.O_NOFOLLOW);

function writeAt(handle: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length;) {
    written += writeSync(handle, bytes, written, bytes.length - written, position + written);
  }
}

/** Windows has none of these flags. */
function ifThere(flag: number | undefined): number {
  return flag ?? 0;
}
