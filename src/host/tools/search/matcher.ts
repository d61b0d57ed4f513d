/** Searches the lines of a text. Runs in a worker thread: a model's pattern can be slow on purpose. */

import { thrownText } from "../../../core/errors.ts";
import { err, ok, type Result } from "../../../core/result.ts";

export interface TextQuery {
  readonly pattern: string;
  /** A JavaScript regular expression, matched within each line; else plain text. */
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
}

/** A matching line. `line` counts from 1. */
export interface FoundLine {
  readonly line: number;
  readonly text: string;
  /** Column of the first character that is shown of a long line. */
  readonly column?: number;
}

/** The error says what is wrong with a regular expression. */
export function compileQuery({ pattern, isRegex, ignoreCase }: TextQuery): Result<RegExp, string> {
  const source = isRegex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const flags = ignoreCase ? "i" : "";
  try {
    return ok(new RegExp(source, `${flags}u`));
  } catch {
    // Many expressions are written for engines that accept a needless backslash.
  }
  try {
    return ok(new RegExp(source, flags));
  } catch (error) {
    return err(thrownText(error));
  }
}

/** Calls `see` with every line and whether it matches, until `see` returns false. */
export function eachLine(text: string, query: RegExp, visit: (found: FoundLine, fits: boolean) => boolean): void {
  let line = 1;
  for (let start = 0; start < text.length; line++) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const content = text.slice(start, end > start && text[end - 1] === "\r" ? end - 1 : end);
    if (!visit({ line, text: content }, query.test(content))) return;
    start = end + 1;
  }
}
