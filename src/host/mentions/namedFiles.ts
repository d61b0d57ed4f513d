/** Finds files and folders of the workspace by a typed name. Pure. */

import { bestMatches } from "./fuzzyScore.ts";
import type { Lines, Mention } from "./mention.ts";

/** "upload.ts:10-20", "upload.ts#L10": a name and lines, perhaps still incomplete. */
const WITH_LINES = /^(.+?)(?::L?|#L?)(\d{0,7})(?:[-–]L?(\d{0,7}))?$/i;

/** The `most` best matches among the files `paths` and their folders; only files where `query` names lines. */
export function namedFiles(query: string, paths: readonly string[], most: number): readonly Mention[] {
  const files = paths.map((path) => fileMention(path));
  const found = bestMatches(query, [...files, ...foldersOf(paths).map(folderMention)], pathOf, most);
  const [, name, first = "", last = ""] = WITH_LINES.exec(query) ?? [];
  if (found.length > 0 || name === undefined) return found;
  const lines = linesOf(first, last);
  return bestMatches(name, files, pathOf, most).map((file) => fileMention(pathOf(file), lines));
}

/** A path with lines: "src/upload.ts:10-20". */
export function withLines(path: string, lines: Lines | undefined): string {
  if (lines === undefined) return path;
  const { first, last } = lines;
  return first === last ? `${path}:${String(first)}` : `${path}:${String(first)}-${String(last)}`;
}

function linesOf(first: string, last: string): Lines | undefined {
  if (first === "") return undefined;
  const from = Math.max(1, Number(first));
  return { first: from, last: Math.max(from, Number(last)) };
}

function pathOf({ path = "" }: Mention): string {
  return path;
}

function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break; // and so are its parents
      folders.add(folder);
    }
  }
  return [...folders];
}

function fileMention(path: string, lines?: Lines): Mention {
  const at = path.lastIndexOf("/");
  const label = withLines(path.slice(at + 1), lines);
  const description = at < 0 ? "" : path.slice(0, at);
  return { kind: "file", label, description, path, ...(lines === undefined ? {} : { lines }) };
}

function folderMention(path: string): Mention {
  return { ...fileMention(path), kind: "folder" };
}
