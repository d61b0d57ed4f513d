/** Finds line starts in bytes, without decoding them. */

import { ok, type Result } from "../../../core/result.ts";
import type { ToolFailure } from "../toolFailure.ts";
import { binaryFailure, type TextSource } from "./textEncoding.ts";

/** Counted from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
  /** Only a part of the line `first`, from this UTF-16 unit on, counted from 1. */
  readonly column?: number;
}

/** Byte offsets of a range of lines. */
export interface LineOffsets {
  /** Start of the line `before` lines above the range, or of line 1. */
  readonly leadStart: number;
  /** Lines from `leadStart` to `start`. */
  readonly leadLines: number;
  /** Start of the range; the end of the text when there is no such line. */
  readonly start: number;
  /** After the last line's line end. */
  readonly end: number;
  /** Lines in the whole text. A line end at the very end begins no further line. */
  readonly totalLines: number;
}

const CHUNK_BYTES = 256 * 1024;
const LINE_END = 10;

/** One pass over the whole text; a zero byte makes it binary, and fails. */
export function findLineOffsets(
  { source, startsAt }: TextSource,
  { first, last }: LineRange,
  before: number,
  shown: string,
): Result<LineOffsets, ToolFailure> {
  /** Starts of the lines above the range, oldest first. */
  const leads: number[] = [];
  let line = 1;
  let lineStart = startsAt;
  let start: number | undefined;
  let end: number | undefined;
  const beginLine = (at: number): void => {
    lineStart = at;
    if (line < first) {
      leads.push(at);
      if (leads.length > before) leads.shift();
    }
    if (line === first) start = at;
    if (line === last + 1) end = at;
  };
  beginLine(startsAt);
  for (let offset = startsAt; offset < source.sizeBytes; offset += CHUNK_BYTES) {
    const chunk = source.read(offset, CHUNK_BYTES);
    if (chunk.length === 0) break; // the file was truncated meanwhile
    if (chunk.includes(0)) return binaryFailure(shown);
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) {
      line++;
      beginLine(offset + at + 1);
    }
  }
  const size = source.sizeBytes;
  const isLastEmpty = lineStart === size;
  const from = start ?? size;
  return ok({
    leadStart: leads[0] ?? from,
    leadLines: leads.length,
    start: from,
    end: end ?? size,
    totalLines: isLastEmpty ? line - 1 : line,
  });
}
