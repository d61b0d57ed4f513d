/** Files and folders that a typed name stands for. Pure. */

import type { Lines, Mention } from "./mention.ts";

/** "upload.ts:10-20", "upload.ts#L10": a name and lines, perhaps still incomplete. */
const WITH_LINES = /^(.+?)(?::L?|#L?)(\d{0,7})(?:[-–]L?(\d{0,7}))?$/i;

/** The name and the lines of "upload.ts:10-20"; `undefined` where no lines are named. */
export function nameWithLines(query: string): { readonly name: string; readonly lines?: Lines } | undefined {
  const [, name, first = "", last = ""] = WITH_LINES.exec(query) ?? [];
  if (name === undefined) return undefined;
  const lines = linesOf(first, last);
  return { name, ...(lines === undefined ? {} : { lines }) };
}

/** A path with lines: "src/upload.ts:10-20". */
export function withLines(path: string, lines: Lines | undefined): string {
  if (lines === undefined) return path;
  const { first, last } = lines;
  return first === last ? `${path}:${String(first)}` : `${path}:${String(first)}-${String(last)}`;
}

/** A path that ends in "/" is a folder's. */
export function pathMention(path: string, lines?: Lines): Mention {
  const isFolder = path.endsWith("/");
  const plain = isFolder ? path.slice(0, -1) : path;
  const at = plain.lastIndexOf("/");
  const label = withLines(plain.slice(at + 1), lines);
  const description = at < 0 ? "" : plain.slice(0, at);
  const kind = isFolder ? "folder" : "file";
  return { kind, label, description, path: plain, ...(lines === undefined ? {} : { lines }) };
}

function linesOf(first: string, last: string): Lines | undefined {
  if (first === "") return undefined;
  const from = Math.max(1, Number(first));
  return { first: from, last: Math.max(from, Number(last)) };
}
