/** Reads a range of lines for a model: without secrets, hidden characters made visible, bounded. */

import { beginningOf } from "../../../core/cutText.ts";
import { ok, type Result } from "../../../core/result.ts";
import { makeVisible } from "../hiddenText.ts";
import type { SanitizeCounts } from "../resultText.ts";
import { LEAD_LINES, MOST_LEAD, redactRange, TRAIL } from "../redactedRange.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import type { ByteSource } from "./byteSource.ts";
import { findLineOffsets, type LineRange } from "./lineIndex.ts";
import { columnAfter, lengthOf, readLinePart } from "./readColumns.ts";
import { decodeText, encodingOf, textChunks, textSource } from "./textEncoding.ts";

/** Larger files are not scanned for a few lines. */
export const MOST_FILE_BYTES = 64 * 1024 * 1024;
/** Most bytes of one read; the next one continues after it. */
const MOST_RANGE_BYTES = 128 * 1024;
/** UTF-16 units of one line. */
const MOST_LINE_LENGTH = 2_000;

export interface LinesRead extends SanitizeCounts {
  /** From line `first` on. */
  readonly lines: readonly string[];
  readonly first: number;
  readonly totalLines: number;
  /** Requested lines are missing, as the limit of bytes was reached. */
  readonly isCut: boolean;
  /** Undefined for UTF-8. */
  readonly encoding: string | undefined;
  /** Of a line that was read in part: the columns, and its whole length, in UTF-16 units. */
  readonly columns?: { readonly first: number; readonly last: number; readonly lineLength: number };
}

/** Reads the existing lines of `range`. `configured` is the user's encoding; `shown` names the file in failures. */
export function readLines(
  source: ByteSource,
  range: LineRange,
  configured: string,
  shown: string,
): Result<LinesRead, ToolFailure> {
  if (source.sizeBytes > MOST_FILE_BYTES) {
    const size = `${Math.round(source.sizeBytes / 1024 / 1024).toLocaleString("en-US")} MB`;
    return failure("TOO_LARGE", `${shown} has ${size}, which is too large to be read. A search or a command may help.`);
  }
  const text = textSource(source, shown);
  if (!text.ok) return text;
  const places = findLineOffsets(text.value, range, LEAD_LINES, shown);
  if (!places.ok) return places;
  const { leadStart, start, end, totalLines } = places.value;
  const bytesOfText = text.value.source;
  const encoding = encodingOf(text.value, configured);
  const textOf = (from: number, to: number): string =>
    withPlainLineEnds(decodeText(bytesOfText.read(from, to - from), encoding, to >= bytesOfText.sizeBytes));
  const lead = textOf(Math.max(leadStart, start - MOST_LEAD), start);
  // Shorter lines are read whole.
  if (range.column !== undefined && endOfLine(bytesOfText, start) - start > MOST_LINE_LENGTH) {
    const line = { start, end: endOfLine(bytesOfText, start) };
    const { text: part, count, ...columns } = readLinePart(bytesOfText, line, encoding, range.column, lead);
    const { text: visible, hiddenCount } = makeVisible(part);
    const lines = columns.last < columns.first ? [] : [visible];
    return ok({
      lines,
      first: range.first,
      totalLines,
      isCut: false,
      encoding,
      columns,
      secretCount: count,
      hiddenCount,
    });
  }
  const stop = Math.min(end, start + MOST_RANGE_BYTES);
  let isCut = stop < end;
  const found = textOf(start, stop);
  // A line cut by the limit is left to the next range, unless it is the only one.
  const lastEnd = isCut ? found.lastIndexOf("\n") + 1 : 0;
  const shownText = lastEnd > 0 ? found.slice(0, lastEnd) : found;
  const trail = found.slice(shownText.length) + textOf(stop, Math.min(stop + TRAIL, bytesOfText.sizeBytes));
  const clean = redactRange(lead, shownText, trail);
  // Characters of the only line that the limit of bytes left out.
  const unread =
    isCut && lastEnd === 0 ? lengthOf(textChunks(bytesOfText, stop, endOfLine(bytesOfText, start), encoding)) : 0;
  let hiddenCount = 0;
  const lines = linesOf(clean.text).map((line, index) => {
    const visible = makeVisible(shorten(line, range.first + index, unread));
    hiddenCount += visible.hiddenCount;
    return visible.text;
  });
  if (range.first + lines.length - 1 >= Math.min(range.last, totalLines)) isCut = false;
  return ok({ secretCount: clean.count, hiddenCount, lines, first: range.first, totalLines, isCut, encoding });
}

/** Without line ends. */
export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return text.endsWith("\n") ? lines.slice(0, -1) : lines;
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** `unread`: UTF-16 units of the line after `line`. */
function shorten(line: string, number: number, unread: number): string {
  if (line.length + unread <= MOST_LINE_LENGTH) return line;
  const shown = beginningOf(line, MOST_LINE_LENGTH);
  const more = (line.length - shown.length + unread).toLocaleString("en-US");
  const next = `read on with "start_line": ${number}, "start_column": ${columnAfter(shown)}`;
  return `${shown}… [${more} more characters in this line; ${next}]`;
}

/** Offset of the end of the line at `start`, without its line end. */
function endOfLine(source: ByteSource, start: number): number {
  for (let at = start; at < source.sizeBytes; at += MOST_RANGE_BYTES) {
    const found = source.read(at, MOST_RANGE_BYTES).indexOf(10);
    if (found < 0) continue;
    const end = at + found;
    return end > start && source.read(end - 1, 1)[0] === 13 ? end - 1 : end;
  }
  return source.sizeBytes;
}
