/** The smallest changes that make one text of another, so that what both have in common is never written anew. */

import { diffArrays } from "diff";
import { placeAfter, placeBefore } from "../../core/cutText.ts";

/** `[start, end)` of the text before becomes `text`. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The search takes time with the square of what differs: beyond so many, all that differs is one change. */
const MAX_CHANGED_LINES = 100;
const MAX_CHANGED_WORDS = 200;
/** UTF-16 units of changed lines that are compared word by word. */
const MAX_COMPARED_BY_WORD = 8_000;

const LINES = /[^\n]*\n|[^\n]+$/g;
/** A word, a run of blanks, or one character with its marks. */
const WORDS = /[\p{L}\p{N}\p{M}_]+|[ \t]+|[^\p{M}]\p{M}*/gsu;

/** In order, without overlap. Equal texts have none. */
export function changesBetween(before: string, after: string): readonly TextChange[] {
  return changedParts(before, after, LINES, MAX_CHANGED_LINES).flatMap(({ start, end, text }) => {
    const old = before.slice(start, end);
    const isShort = old.length + text.length <= MAX_COMPARED_BY_WORD;
    const words = isShort ? changedParts(old, text, WORDS, MAX_CHANGED_WORDS) : [{ start: 0, end: old.length, text }];
    return words.map((word) => {
      const range = changedRange(old.slice(word.start, word.end), word.text);
      const from = start + word.start;
      return { start: from + range.start, end: from + range.end, text: range.text };
    });
  });
}

/** The changes must be in order, without overlap. */
export function withChanges(before: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of changes) {
    parts.push(before.slice(at, start), text);
    at = end;
  }
  return [...parts, before.slice(at)].join("");
}

/** The one range in which two texts differ, of whole characters. */
export function changedRange(before: string, after: string): TextChange {
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

function changedParts(before: string, after: string, unit: RegExp, maxEditLength: number): readonly TextChange[] {
  const parts = diffArrays(before.match(unit) ?? [], after.match(unit) ?? [], { maxEditLength });
  if (parts === undefined) return [changedRange(before, after)];
  const changes: { start: number; end: number; text: string }[] = [];
  let at = 0;
  let last: (typeof changes)[number] | undefined;
  for (const { added, removed, value } of parts) {
    const text = value.join("");
    if (!added && !removed) {
      at += text.length;
      last = undefined;
      continue;
    }
    if (last === undefined) changes.push((last = { start: at, end: at, text: "" }));
    if (added) last.text += text;
    else last.end = at += text.length;
  }
  return changes;
}
