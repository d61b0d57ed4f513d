/** Reads a part of one line, for lines that are longer than what is shown of each. */

import { placeBefore } from "../../../core/cutText.ts";
import type { Redacted } from "../../../core/secrets/redact.ts";
import { MOST_LEAD, redactRange, TRAIL } from "../redactedRange.ts";
import type { ByteSource } from "./byteSource.ts";
import { textChunks } from "./textEncoding.ts";

/** UTF-16 units of one part. */
const MOST_PART_LENGTH = 32_000;

/** A part of a line. Columns count UTF-16 units from 1; a part begins and ends between two characters. */
export interface LinePart extends Redacted {
  readonly first: number;
  readonly last: number;
  readonly lineLength: number;
}

/** From `column` on. `[start, end)` are the bytes of the line without its end, `above` is the text before it. */
export function readLinePart(
  source: ByteSource,
  { start, end }: { readonly start: number; readonly end: number },
  encoding: string | undefined,
  column: number,
  above: string,
): LinePart {
  const wanted = column - 1;
  const windowStart = Math.max(0, wanted - MOST_LEAD);
  const windowEnd = wanted + MOST_PART_LENGTH + TRAIL;
  let lineLength = 0;
  let window = "";
  for (const chunk of textChunks(source, start, end, encoding)) {
    window += chunk.slice(Math.max(0, windowStart - lineLength), Math.max(0, windowEnd - lineLength));
    lineLength += chunk.length;
  }
  const from = placeBefore(window, wanted - windowStart);
  const to = placeBefore(window, from + MOST_PART_LENGTH);
  const lead = (windowStart === 0 ? above : "") + window.slice(0, from);
  const clean = redactRange(lead, window.slice(from, to), window.slice(to));
  const first = windowStart + from + 1;
  return { ...clean, first, last: first + to - from - 1, lineLength };
}

/** The column after redacted text, or an earlier one: a mark may be longer than the secret. */
export function columnAfter(redacted: string): number {
  const marks = redacted.match(/\[redacted: [^\]\n]{0,60}\]/g) ?? [];
  return redacted.length - lengthOf(marks) + 1;
}

export function lengthOf(texts: Iterable<string>): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}
