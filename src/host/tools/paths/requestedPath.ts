/**
 * Names of files and folders, as models and users read and write them: `src/a.ts`, and `app/src/a.ts` where several
 * folders are open. Makes a name of a place, and a place of a name. What only the disk can tell, such as where a link
 * leads, is checked later, on opening.
 */

import { ok, type Result } from "../../../core/result.ts";
import { hasHidden, onOneLine } from "../hiddenText.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";

export interface NamedRoot {
  /** Unique among the folders. */
  readonly name: string;
  /** Absolute, in the operating system's spelling; absent where the folder is not on a disk of this machine. */
  readonly folderPath?: string;
  /** Address of the folder, without a slash at its end: by it, a folder inside another open one is known. */
  readonly address?: string;
}

export type PathStyle = "posix" | "windows";

export function pathStyleOf(system: NodeJS.Platform): PathStyle {
  return system === "win32" ? "windows" : "posix";
}

/** A place in a workspace folder. */
export interface RequestedPath {
  /** Index of the workspace folder. */
  readonly rootIndex: number;
  /** With `/` between folders; empty for the workspace folder itself. Never contains `..`. */
  readonly relative: string;
}

const MOST_CHARACTERS = 4_096;
const MOST_ROOT_NAME = 100;
const CONTROL = /\p{Cc}/u;
/** At least two letters: one letter is a drive. "notes:12.md" is a name. */
const SCHEME = /^(?:[a-z][a-z0-9+.-]+:\/|(?:file|data|blob|about|mailto|urn|javascript|command|untitled|git|vscode):)/i;
const DRIVE = /^[a-z]:/i;
const HOME = /^~(?:\/|$)/;
/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;
/** Not allowed in names on Windows; a colon would name an alternate data stream. */
const NOT_IN_WINDOWS_NAMES = /[:<>"|?*]|[. ]$/;

/** Resolves `text` against `roots`; an error says how to write the path. */
export function readRequestedPath(
  text: string,
  roots: readonly NamedRoot[],
  style: PathStyle,
): Result<RequestedPath, ToolFailure> {
  if (text.length > MOST_CHARACTERS) return failure("INVALID_INPUT", "The path is too long.");
  if (CONTROL.test(text) || hasHidden(text)) {
    return failure("INVALID_INPUT", `The path holds invisible characters: ${onOneLine(text)}`);
  }
  const written = style === "windows" ? text.replaceAll("\\", "/") : text;
  if (SCHEME.test(written)) {
    return failure("INVALID_INPUT", `Give the path of a file in the workspace, not an address: ${onOneLine(text)}`);
  }
  if (written.includes("\\")) return failure("INVALID_INPUT", 'Write "/" between folders, not "\\".');
  if (written.startsWith("//") || HOME.test(written)) return outside(text);
  if (written.startsWith("/") || DRIVE.test(written)) return readAbsolute(written, roots, style);
  const segments = readSegments(written, style);
  return segments.ok ? inRoot(segments.value, roots) : segments;
}

/** True for a name of the disk that {@link readRequestedPath} takes; another one is not offered. */
export function isTakenName(name: string): boolean {
  return !CONTROL.test(name) && !hasHidden(name) && !name.includes("\\");
}

/** The path for the model and the user: one name for each file, also where folders are nested. */
export function displayPathOf(place: RequestedPath, roots: readonly NamedRoot[]): string {
  const { rootIndex, relative } = innermost(place, roots);
  if (roots.length === 1) return relative === "" ? "." : onOneLine(asWritten(relative), MOST_CHARACTERS);
  const name = roots[rootIndex]?.name ?? "";
  return onOneLine(relative === "" ? name : `${name}/${relative}`, MOST_CHARACTERS);
}

/** A path of the only open folder: "./~/a.ts" where "~/a.ts" would be another place. */
export function asWritten(relative: string): string {
  return SCHEME.test(relative) || DRIVE.test(relative) || HOME.test(relative) ? `./${relative}` : relative;
}

/** The same place in the innermost open folder. */
export function innermost(place: RequestedPath, roots: readonly NamedRoot[]): RequestedPath {
  const outer = roots[place.rootIndex]?.address;
  if (outer === undefined) return place;
  let best = place;
  for (const [rootIndex, { address }] of roots.entries()) {
    if (address === undefined || !`${outer}/${place.relative}/`.startsWith(`${address}/`)) continue;
    const relative = `${outer}/${place.relative}`.slice(address.length + 1);
    if (relative.length < best.relative.length) best = { rootIndex, relative };
  }
  return best;
}

/** Paths, in the folder `rootIndex`, of the open folders inside it. */
export function nestedFolders(rootIndex: number, roots: readonly NamedRoot[]): readonly string[] {
  const outer = roots[rootIndex]?.address;
  if (outer === undefined) return [];
  return roots.flatMap(({ address }) =>
    address?.startsWith(`${outer}/`) === true ? [address.slice(outer.length + 1)] : [],
  );
}

/**
 * Names of open folders that begin a path, one for each of the editor's: unique, and without signs that no path can
 * hold, since settings may name a folder "Web/App" or give two the same name.
 */
export function rootNames(names: readonly string[], style: PathStyle): readonly string[] {
  const wanted = names.map((name) => takenRootName(name, style));
  const used = new Set<string>();
  return wanted.map((name) => {
    let free = name;
    for (let count = 2; used.has(free) || (free !== name && wanted.includes(free)); count++) {
      free = `${name} (${String(count)})`;
    }
    used.add(free);
    return free;
  });
}

function takenRootName(name: string, style: PathStyle): string {
  const isTaken = (text: string): boolean => {
    const read = readRequestedPath(`${text}/a`, [{ name: text }, { name: "" }], style);
    return read.ok && read.value.relative === "a";
  };
  if (isTaken(name)) return name;
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N} ._@+(),&'-]/gu, "-").slice(0, MOST_ROOT_NAME);
  return isTaken(plain) ? plain : "folder";
}

function inRoot(segments: readonly string[], roots: readonly NamedRoot[]): Result<RequestedPath, ToolFailure> {
  if (roots.length === 0) return failure("UNAVAILABLE", "No folder is open in the editor.");
  if (roots.length === 1) return ok({ rootIndex: 0, relative: segments.join("/") });
  const [first, ...rest] = segments;
  const rootIndex = roots.findIndex(({ name }) => name === first);
  if (rootIndex >= 0) return ok({ rootIndex, relative: rest.join("/") });
  const names = roots.map(({ name }) => onOneLine(name)).join(", ");
  return failure("INVALID_INPUT", `Several folders are open. Begin the path with the name of one of them: ${names}.`);
}

function readAbsolute(
  written: string,
  roots: readonly NamedRoot[],
  style: PathStyle,
): Result<RequestedPath, ToolFailure> {
  const isDrive = DRIVE.test(written);
  if (isDrive !== (style === "windows")) return outside(written);
  const drive = isDrive ? written.slice(0, 2) : "";
  const segments = readSegments(written.slice(drive.length), style);
  if (!segments.ok) return segments;
  const same = (one: string | undefined, other: string): boolean =>
    style === "windows" ? one?.toLowerCase() === other.toLowerCase() : one === other;
  const target = [drive, ...segments.value];
  let best: { readonly rootIndex: number; readonly length: number } | undefined;
  for (const [rootIndex, { folderPath }] of roots.entries()) {
    if (folderPath === undefined) continue;
    const root = absoluteSegments(folderPath, style);
    const isInside = root.every((segment, index) => same(target[index], segment));
    if (isInside && root.length > (best?.length ?? 0)) best = { rootIndex, length: root.length };
  }
  if (best === undefined) return outside(written);
  return ok({ rootIndex: best.rootIndex, relative: target.slice(best.length).join("/") });
}

/** The drive, or "" without one, followed by the names below it. */
function absoluteSegments(folderPath: string, style: PathStyle): readonly string[] {
  const written = style === "windows" ? folderPath.replaceAll("\\", "/") : folderPath;
  const drive = style === "windows" && DRIVE.test(written) ? written.slice(0, 2) : "";
  const names = written.slice(drive.length).split("/");
  return [drive, ...names.filter((name) => name !== "")];
}

function readSegments(written: string, style: PathStyle): Result<readonly string[], ToolFailure> {
  const segments = written.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) {
    return failure("OUTSIDE_WORKSPACE", 'Paths are taken from the workspace folder on and may not hold "..".');
  }
  const wrong =
    style === "windows"
      ? segments.find((segment) => DEVICE.test(segment) || NOT_IN_WINDOWS_NAMES.test(segment))
      : undefined;
  return wrong === undefined
    ? ok(segments)
    : failure("INVALID_INPUT", `No file can have this name: ${onOneLine(wrong)}`);
}

function outside(text: string): Result<never, ToolFailure> {
  const message =
    `${onOneLine(text)} is not in the workspace. Only files of the open folders can be used, ` +
    "by their paths from there on.";
  return failure("OUTSIDE_WORKSPACE", message);
}
