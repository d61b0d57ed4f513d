/** Finds files, and text in files, on this disk. */

import { readableText } from "../../notebooks/notebookJson.ts";
import { ok, type Result } from "../../../core/result.ts";
import { mayHoldSecrets } from "../paths/guardedFiles.ts";
import { fileMatches, type FileMatches } from "../search/fileMatches.ts";
import { compileQuery } from "../search/matcher.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import type { ByteSource } from "./byteSource.ts";
import type { FoundFiles, FileThreadMessage, SearchAnswer, SearchRequest, WalkRequest } from "./fileTask.ts";
import type { LocalAccess } from "./localAccess.ts";
import { decodeText, encodingOf, textSource } from "./textEncoding.ts";
import { walkDisk } from "./walkDisk.ts";

/** Larger files are mostly data, and are not searched. */
export const MOST_SEARCHED_BYTES = 4 * 1024 * 1024;

export function findOnDisk(
  access: LocalAccess,
  request: WalkRequest,
  isOver: () => boolean,
): Result<FoundFiles, ToolFailure> {
  const start = access.list(request.rootIndex, request.relative);
  if (!start.ok) return start;
  const files: string[] = [];
  for (const { relative } of walkDisk(access, request)) {
    if (files.length === request.most || isOver()) return ok({ files, isCut: true });
    files.push(relative);
  }
  return ok({ files, isCut: false });
}

/** Calls `tell` for each file with hits as soon as it is searched. */
export function searchOnDisk(
  access: LocalAccess,
  request: SearchRequest,
  isOver: () => boolean,
  tell: (hits: FileThreadMessage) => void,
): Result<SearchAnswer, ToolFailure> {
  const query = compileQuery(request.query);
  if (!query.ok) return failure("INVALID_INPUT", query.error);
  const start = access.list(request.rootIndex, request.relative);
  if (!start.ok) return start;
  const answer = { filesSearched: 0, isCut: false };
  const skipped = { mayHoldSecrets: 0, tooLarge: 0 };
  let left = request.most;
  for (const { relative, isLink } of walkDisk(access, request)) {
    if (left === 0 || isOver()) {
      answer.isCut = true;
      break;
    }
    if (isLink) continue;
    if (mayHoldSecrets(relative)) {
      skipped.mayHoldSecrets++;
      continue;
    }
    const unsaved = request.unsaved.get(relative);
    const read =
      unsaved === undefined ? textOnDisk(access, request, relative) : unsavedText(access, request, relative, unsaved);
    if (read.kind === "guarded") skipped.mayHoldSecrets++;
    if (read.kind === "tooLarge") skipped.tooLarge++;
    if (read.kind !== "text") continue;
    answer.filesSearched++;
    const found = fileMatches(read.text, query.value, left);
    if (found.lines.length > 0) tell(hitsOf(relative, found));
    left -= found.lines.length;
  }
  return ok({ ...answer, skipped });
}

function hitsOf(file: string, { lines, secretCount, hiddenCount }: FileMatches): FileThreadMessage {
  return { kind: "hits", hits: { file, lines }, changes: { secretCount, hiddenCount } };
}

type SearchedText =
  { readonly kind: "text"; readonly text: string } | { readonly kind: "guarded" | "tooLarge" | "notText" };

const NOT_TEXT: SearchedText = { kind: "notText" };

function textOnDisk(access: LocalAccess, { rootIndex, encoding }: SearchRequest, relative: string): SearchedText {
  const opened = access.open(rootIndex, relative);
  if (!opened.ok) return NOT_TEXT;
  try {
    const { sizeBytes, relative: real } = opened.value;
    if (mayHoldSecrets(real)) return { kind: "guarded" }; // the folder that was named may be a link
    return sizeBytes > MOST_SEARCHED_BYTES ? { kind: "tooLarge" } : searchedText(opened.value, encoding, relative);
  } finally {
    opened.value.close();
  }
}

function unsavedText(access: LocalAccess, { rootIndex }: SearchRequest, relative: string, text: string): SearchedText {
  const located = access.locate(rootIndex, relative);
  if (!located.ok) return NOT_TEXT;
  return mayHoldSecrets(located.value.relative)
    ? { kind: "guarded" }
    : { kind: "text", text: readableText(relative, text) };
}

export function searchedText(bytes: ByteSource, encoding: string, relative: string): SearchedText {
  const text = textSource(bytes, relative);
  if (!text.ok) return NOT_TEXT;
  const { source, startsAt } = text.value;
  const content = source.read(startsAt, source.sizeBytes);
  if (content.includes(0)) return NOT_TEXT;
  const decoded = decodeText(content, encodingOf(text.value, encoding), true);
  return { kind: "text", text: readableText(relative, decoded) };
}
