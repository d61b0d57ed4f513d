/** Handles of files and folders, which stay the same even if their paths are swapped. */

import { closeSync, constants, type Dirent, openSync, readdirSync, readlinkSync, readSync } from "node:fs";

/**
 * Does not follow a link at the end of the path, and does not block on a pipe without a writer. Throws as Node does.
 */
export function openToRead(real: string): number {
  return openSync(real, constants.O_RDONLY | ifThere(constants.O_NOFOLLOW) | ifThere(constants.O_NONBLOCK));
}

/** Current path of an open handle; `undefined` where the system cannot tell: only Linux can, by `/proc`. */
export function placeOfHandle(handle: number): string | undefined {
  if (process.platform !== "linux") return undefined;
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
export function readFolder(real: string): { readonly entries: readonly Dirent[]; readonly place: string | undefined } {
  if (process.platform !== "linux") return { entries: readdirSync(real, { withFileTypes: true }), place: undefined };
  const handle = openSync(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const place = placeOfHandle(handle);
    const readable = place === undefined ? real : `/proc/self/fd/${handle}`;
    return { entries: readdirSync(readable, { withFileTypes: true }), place };
  } finally {
    closeSync(handle);
  }
}

/** Windows has neither flag. */
function ifThere(flag: number | undefined): number {
  return flag ?? 0;
}
