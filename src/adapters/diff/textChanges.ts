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
  return changedLines(before, after).flatMap(({ start, end, text }) => {
    const old = before.slice(start, end);
    const isShort = old.length + text.length <= MAX_COMPARED_BY_WORD;
    const all = [{ start: 0, end: old.length, text }];
    const words = isShort ? (changedParts(unitsOf(old, WORDS), unitsOf(text, WORDS), MAX_CHANGED_WORDS) ?? all) : all;
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

/** Where too much differs, what is between lines that both texts have once is compared on its own. */
function changedLines(before: string, after: string): readonly TextChange[] {
  const [old, fresh] = [unitsOf(before, LINES), unitsOf(after, LINES)];
  const parts = changedParts(old, fresh, MAX_CHANGED_LINES);
  if (parts !== undefined) return parts;
  const changes: TextChange[] = [];
  let [oldAt, freshAt, at] = [0, 0, 0];
  for (const anchor of [...anchorsOf(old, fresh), { old: old.length, fresh: fresh.length }]) {
    const [gap, filling] = [old.slice(oldAt, anchor.old), fresh.slice(freshAt, anchor.fresh)];
    const [gapText, text] = [gap.join(""), filling.join("")];
    const inGap = changedParts(gap, filling, MAX_CHANGED_LINES) ?? [changedRange(gapText, text)];
    changes.push(...inGap.map((part) => ({ start: at + part.start, end: at + part.end, text: part.text })));
    at += gapText.length + (old[anchor.old]?.length ?? 0);
    [oldAt, freshAt] = [anchor.old + 1, anchor.fresh + 1];
  }
  return changes;
}

interface Anchor {
  readonly old: number;
  readonly fresh: number;
}

/** The longest run of lines, in the order of both, of those that each has once. */
function anchorsOf(old: readonly string[], fresh: readonly string[]): readonly Anchor[] {
  const inFresh = onlyPlaces(fresh);
  const common = [...onlyPlaces(old)].flatMap(([line, place]) => {
    const freshPlace = place < 0 ? undefined : inFresh.get(line);
    return freshPlace === undefined || freshPlace < 0 ? [] : [{ old: place, fresh: freshPlace }];
  });
  /** Of each length, the run that ends first in the new text. */
  const runs: { readonly anchor: Anchor; readonly before: (typeof runs)[number] | undefined }[] = [];
  for (const anchor of common) {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle]?.anchor.fresh ?? 0) < anchor.fresh) low = middle + 1;
      else high = middle;
    }
    runs[low] = { anchor, before: runs[low - 1] };
  }
  const anchors: Anchor[] = [];
  for (let run = runs.at(-1); run !== undefined; run = run.before) anchors.push(run.anchor);
  return anchors.reverse();
}

/** Of each line its index, or -1 where it is there more than once. In their order. */
function onlyPlaces(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, line] of lines.entries()) places.set(line, places.has(line) ? -1 : index);
  return places;
}

function unitsOf(text: string, unit: RegExp): readonly string[] {
  return text.match(unit) ?? [];
}

/** `undefined` where too much differs. */
function changedParts(
  before: readonly string[],
  after: readonly string[],
  maxEditLength: number,
): readonly TextChange[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength });
  if (parts === undefined) return undefined;
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
