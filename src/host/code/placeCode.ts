/**
 * Finds where a block of code from an answer belongs in a file, by what the two have in common. No model is asked: the
 * user sees the change as a diff and decides. Pure; the work is bounded, and pauses every few milliseconds.
 */

import type { CooperativeTask } from "../../core/cooperativeTask.ts";
import { applyUnifiedDiff, isUnifiedDiff } from "./unifiedDiff.ts";
import { align, type Alignment, sharedFraction } from "./alignLines.ts";

/** The user's selection, as offsets: `[start, end)`. */
export interface SelectedRange {
  readonly start: number;
  readonly end: number;
}

/** A longer comment is a real one. */
const LONGEST_PLACEHOLDER = 300;
/** A placeholder for code that stays as it is: "// ... existing code ...". */
const PLACEHOLDER =
  /^(?:\/\/|#|--|\/\*|<!--|\{\/\*|;|%)?\s*(?:\.{3}|…)\s*(?:[^.…]{0,80}(?:\.{3}|…))?\s*(?:\*\/\}?|-->)?$|^(?:\/\/|#|--|\/\*|<!--|\{\/\*)\s*(?:(?:the )?(?:rest|remaining|existing|other|previous)\b[^\n]{0,80}\b(?:code|methods?|imports?|functions?|here|unchanged|same)|unchanged)\b/i;

/**
 * The file's text with `code` in its place; `undefined` where the place is unclear. Line ends are `\n` in all three. A
 * diff is applied; a selection is replaced; code that has half of the file in common replaces all of it; else the lines
 * that the code continues or changes are replaced.
 */
export function* placeCode(
  before: string,
  code: string,
  selected?: SelectedRange,
): CooperativeTask<string | undefined> {
  const block = trimTrailingLines(code);
  if (isUnifiedDiff(block)) return yield* applyUnifiedDiff(before, block);
  if (before.trim() === "") return `${block}\n`;
  if (selected !== undefined) return inPlaceOfSelection(before, block, selected);
  const file = before.split("\n");
  const pieces = piecesOf(block.split("\n"));
  const [only, ...others] = pieces;
  if (only === undefined) return undefined;
  if (others.length === 0) return yield* placeWhole(before, file, only);
  return (yield* placePieces(file, pieces))?.join("\n");
}

function* placeWhole(
  before: string,
  file: readonly string[],
  block: readonly string[],
): CooperativeTask<string | undefined> {
  if ((yield* sharedFraction(file, block)) >= 0.5)
    return before.endsWith("\n") ? `${block.join("\n")}\n` : block.join("\n");
  const found = yield* align(file, block);
  return found === undefined ? undefined : replaced(file, block, found).join("\n");
}

function* placePieces(
  file: readonly string[],
  pieces: readonly (readonly string[])[],
): CooperativeTask<readonly string[] | undefined> {
  const done: string[] = [];
  let rest = file;
  for (const piece of pieces) {
    const found = yield* align(rest, piece);
    if (found === undefined) return undefined;
    done.push(...rest.slice(0, found.first), ...indentedLike(piece, found));
    rest = rest.slice(found.last + 1);
  }
  return [...done, ...rest];
}

/** Splits the block at its placeholders, without the empty lines around them. */
function piecesOf(block: readonly string[]): readonly (readonly string[])[] {
  const pieces: string[][] = [[]];
  for (const line of block) {
    if (isPlaceholder(line)) pieces.push([]);
    else pieces.at(-1)?.push(line);
  }
  if (pieces.length === 1) return pieces;
  return pieces.map(withoutEmptyEnds).filter((piece) => piece.length > 0);
}

function isPlaceholder(line: string): boolean {
  const comment = line.trim();
  return comment.length <= LONGEST_PLACEHOLDER && PLACEHOLDER.test(comment);
}

function trimTrailingLines(code: string): string {
  let end = code.length;
  while (code[end - 1] === "\n") end--;
  return code.slice(0, end);
}

function withoutEmptyEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function replaced(file: readonly string[], block: readonly string[], found: Alignment): readonly string[] {
  return [...file.slice(0, found.first), ...indentedLike(block, found), ...file.slice(found.last + 1)];
}

/** Indents code that is further to the left than its place. */
function indentedLike(block: readonly string[], { fileIndent, blockIndent }: Alignment): readonly string[] {
  const more = fileIndent.length - blockIndent.length;
  if (more <= 0) return block;
  const added = fileIndent.slice(0, more);
  return block.map((line) => (line.trim() === "" ? line : added + line));
}

function inPlaceOfSelection(before: string, block: string, { start, end }: SelectedRange): string {
  const lineStart = before.lastIndexOf("\n", start - 1) + 1;
  const isFromLineStart = before.slice(lineStart, start).trim() === "";
  const from = isFromLineStart ? lineStart : start;
  const old = before.slice(from, end);
  const indents = { fileIndent: indentOf(old), blockIndent: indentOf(block) };
  const lines = indentedLike(block.split("\n"), { first: 0, last: 0, ...indents });
  return before.slice(0, from) + lines.join("\n") + (old.endsWith("\n") ? "\n" : "") + before.slice(end);
}

function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? "";
}
