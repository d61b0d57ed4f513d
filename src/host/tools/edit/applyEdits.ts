/** Text replacements as a model writes them. */

import { placeAfter, placeBefore } from "../../../core/cutText.ts";
import { ok, type Result } from "../../../core/result.ts";
import { counted, REDACTION_MARK } from "../resultText.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/**
 * Applies the edits in order, each to the result of the one before. `text`, the edits and the result use `\n` as line
 * ends. The old text of an edit must occur exactly once, so that the place is unambiguous.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): Result<string, ToolFailure> {
  let current = text;
  for (const [index, edit] of edits.entries()) {
    const oldText = withPlainLineEnds(edit.oldText);
    const newText = withPlainLineEnds(edit.newText);
    const named = edits.length === 1 ? "The old text" : `The old text of edit ${index}`;
    const at = current.indexOf(oldText);
    if (at < 0) return failure("NOT_FOUND", `${named} is not in the file. ${hintFor(current, oldText)}`);
    const times = countOf(current, oldText);
    if (times > 1) {
      const where = `${named} is in the file ${times} times`;
      return failure("INVALID_INPUT", `${where}: give more of the lines around it, so that it fits one place.`);
    }
    current = current.slice(0, at) + newText + current.slice(at + oldText.length);
  }
  return ok(current);
}

export function withPlainLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Whether a change would write redaction marks in place of other text. */
export function writesRedactions(before: string, after: string): boolean {
  return countOf(after, REDACTION_MARK) > countOf(before, REDACTION_MARK);
}

/** The one range in which two texts differ, of whole characters, as offsets: `[start, end)` of `before` becomes `text`. */
export function changedRange(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  start = Math.min(placeBefore(before, start), placeBefore(after, start));
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  tail = Math.min(
    before.length - placeAfter(before, before.length - tail),
    after.length - placeAfter(after, after.length - tail),
  );
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function countOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}

/** What may have gone wrong; never quotes text that the model has not seen. */
function hintFor(text: string, oldText: string): string {
  if (oldText.includes(REDACTION_MARK)) return "It holds a mark that stands for a secret: edit around that.";
  if (/\[U\+[0-9A-F]{4,6}\]/.test(oldText)) return "It holds the code of an invisible character: edit around that.";
  const first = oldText
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim();
  const alike =
    first === undefined ? [] : text.split("\n").flatMap((line, at) => (line.trim() === first ? [at + 1] : []));
  if (alike.length === 0) return "Read the file again, and copy the text without the line numbers.";
  const places = alike.slice(0, 3).join(", ");
  return `${counted(alike.length, "line")} like its first one (line ${places}): blanks or later lines differ.`;
}
