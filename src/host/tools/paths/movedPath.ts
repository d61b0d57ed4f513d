/**
 * Where a file may be now that was named in another place: a project was renamed or moved, is worked on elsewhere, or
 * was opened beside others. Only names that resolve nowhere are looked for here, and only a user's click opens them.
 */

import { hasHidden } from "../hiddenText.ts";
import type { NamedRoot, RequestedPath } from "./requestedPath.ts";

const MOST_CHARACTERS = 1_024;
/** A path of this many folders is data. */
const MOST_SEGMENTS = 40;
const CONTROL = /\p{Cc}/u;
const DRIVE = /^[a-z]:\//i;
const ABSOLUTE = /^(?:\/|~\/|[a-z]:\/)/i;
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** Places to try, in this order; those of one group are equally likely, so that only one of them may exist. */
export function movedPaths(text: string, roots: readonly NamedRoot[]): readonly (readonly RequestedPath[])[] {
  if (text.length > MOST_CHARACTERS || CONTROL.test(text) || hasHidden(text)) return [];
  const isWindows = /^[a-z]:[\\/]/i.test(text) || text.startsWith("\\\\");
  const written = isWindows ? text.replaceAll("\\", "/") : text;
  if (written.includes("\\") || (SCHEME.test(written) && !DRIVE.test(written))) return [];
  const segments = written.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length > MOST_SEGMENTS || segments.includes("..")) return [];
  return ABSOLUTE.test(written) ? ofAbsolute(segments, roots) : ofRelative(segments, roots);
}

/**
 * The ends of an absolute path, longest first. A name alone says too little, unless the folder before it is called as
 * the project is.
 */
function ofAbsolute(segments: readonly string[], roots: readonly NamedRoot[]): readonly (readonly RequestedPath[])[] {
  return segments.flatMap((folder, index) => {
    const end = segments.slice(index + 1);
    if (end.length === 0) return [];
    const group = roots.flatMap((root, rootIndex) =>
      end.length > 1 || isNameOf(root, folder) ? [{ rootIndex, relative: end.join("/") }] : [],
    );
    return group.length === 0 ? [] : [group];
  });
}

/** "app/src/a.ts" of a window with several folders where "app" is open now, and "src/a.ts" where several are. */
function ofRelative(segments: readonly string[], roots: readonly NamedRoot[]): readonly (readonly RequestedPath[])[] {
  if (segments.length < 2) return [];
  const [folder = "", ...rest] = segments;
  const named = roots.flatMap((root, rootIndex) =>
    isNameOf(root, folder) ? [{ rootIndex, relative: rest.join("/") }] : [],
  );
  const whole = roots.map((_, rootIndex) => ({ rootIndex, relative: segments.join("/") }));
  return named.length === 0 ? [whole] : [whole, named];
}

function isNameOf({ name, folderPath = "" }: NamedRoot, folder: string): boolean {
  return folder === name || folder === folderPath.split(/[\\/]/).findLast((segment) => segment !== "");
}
