/** Matching lines of one file, for a model: without secrets, hidden characters made visible, bounded. */

import { placeAfter, placeBefore } from "../../../core/cutText.ts";
import { columnAfter } from "../files/readColumns.ts";
import { makeVisible } from "../hiddenText.ts";
import { redact } from "../../../core/secrets/redact.ts";
import { REDACTION_MARK } from "../resultText.ts";
import { eachLine, type FoundLine } from "./matcher.ts";

export interface FileMatches {
  readonly lines: readonly FoundLine[];
  readonly secretCount: number;
  readonly hiddenCount: number;
}

/** UTF-16 units shown of a line, and how many of them precede the match. */
const SHOWN_LENGTH = 400;
const SHOWN_BEFORE = 120;

/**
 * Stops after `most` matching lines. Only what the model may see is matched: otherwise a secret could be found out, letter
 * by letter, from which patterns match.
 */
export function fileMatches(text: string, query: RegExp, most: number): FileMatches {
  const lines: FoundLine[] = [];
  let secretCount = 0;
  let hiddenCount = 0;
  eachLine(redact(text, { keepLines: true }).text, query, (found, fits) => {
    if (!fits) return true;
    const { text: shown, start } = around(found.text, query);
    const visible = makeVisible(shown);
    secretCount += found.text.split(REDACTION_MARK).length - 1;
    hiddenCount += visible.hiddenCount;
    const column = start === 0 ? {} : { column: columnAfter(found.text.slice(0, start)) };
    lines.push({ line: found.line, text: visible.text, ...column });
    return lines.length < most;
  });
  return { lines, secretCount, hiddenCount };
}

/** The part of a long line around its match, and where it starts. */
function around(text: string, query: RegExp): { readonly text: string; readonly start: number } {
  if (text.length <= SHOWN_LENGTH) return { text, start: 0 };
  const at = query.exec(text)?.index ?? 0;
  const start = placeAfter(text, at - SHOWN_BEFORE);
  const end = placeBefore(text, start + SHOWN_LENGTH);
  return { text: `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`, start };
}
