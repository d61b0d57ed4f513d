/** Finds text in lines. Runs where it may take its time: a pattern of a model can be slow on purpose. */

import { thrownText } from "../../../core/errors.ts";
import { err, ok, type Result } from "../../../core/result.ts";

/** What is looked for. */
export interface TextQuery {
  readonly pattern: string;
  /** A regular expression of JavaScript, tried on each line by itself; else plain text. */
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
}

/** A line that fits. `line` counts from 1. */
export interface FoundLine {
  readonly line: number;
  readonly text: string;
}

/** Compiles a query; the error says what is wrong with a regular expression. */
export function compileQuery({ pattern, isRegex, ignoreCase }: TextQuery): Result<RegExp, string> {
  const source = isRegex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const flags = ignoreCase ? "i" : "";
  try {
    return ok(new RegExp(source, `${flags}u`));
  } catch {
    // Many expressions are written for engines that do not mind a needless backslash.
  }
  try {
    return ok(new RegExp(source, flags));
  } catch (error) {
    return err(thrownText(error));
  }
}

/** Goes through a text; `see` gets every line with whether it fits, and answers whether to go on. */
export function eachLine(text: string, query: RegExp, see: (found: FoundLine, fits: boolean) => boolean): void {
  let line = 1;
  for (let start = 0; start < text.length; line++) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const content = text.slice(start, end > start && text[end - 1] === "\r" ? end - 1 : end);
    if (!see({ line, text: content }, query.test(content))) return;
    start = end + 1;
  }
}
