/** Finds where lines begin in bytes, without decoding them. */

import { ok, type Result } from "../../../core/result.ts";
import type { ToolFailure } from "../toolFailure.ts";
import { binary, type TextSource } from "./textBytes.ts";

/** Which lines are wanted: the first has number 1, `last` belongs to them. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Where the lines of a range lie. */
export interface LinePlaces {
  /** Of the line `before` lines before the first one, or of line 1. */
  readonly leadStart: number;
  /** How many lines there are between `leadStart` and the first one. */
  readonly leadLines: number;
  /** Where the first line begins; the end of the text when there is no such line. */
  readonly start: number;
  /** Behind the last line with its line end. */
  readonly end: number;
  /** Lines in the whole text. A line end at the very end begins no further line. */
  readonly totalLines: number;
}

const CHUNK_BYTES = 256 * 1024;
const LINE_END = 10;

/** Goes through the whole text once; what holds a zero byte is refused as binary. */
export function findLines(
  { source, startsAt }: TextSource,
  { first, last }: LineRange,
  before: number,
  shown: string,
): Result<LinePlaces, ToolFailure> {
  /** Starts of the lines before the first one, newest last. */
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
    if (chunk.length === 0) break; // the file became shorter meanwhile
    if (chunk.includes(0)) return binary(shown);
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
