/**
 * Finds the range of a file that a block of code continues or changes: the best local alignment of the two, by lines.
 * Pauses every few milliseconds, as files can have many lines.
 */

import { Slice, type CooperativeTask } from "../../core/cooperativeTask.ts";

/** A range of file lines, both ends included, and how the code fits there. */
export interface Alignment {
  readonly first: number;
  readonly last: number;
  /** White space before the first line that is in both: in the file, and in the code. */
  readonly fileIndent: string;
  readonly blockIndent: string;
}

/** Enough for any block that a reader goes through; takes some tens of milliseconds. */
const mostCells = 400_000;

/**
 * Comparisons, and lines scanned, between two pauses. Either takes a fraction of a millisecond, and a few milliseconds
 * before the code is optimized.
 */
const cellsPerSlice = 10_000;
const linesPerSlice = 250;

/** Control flow, which is no declaration: two lines that begin with it need not be related. */
const control =
  /^(?:\}?\s*(?:if|elif|else|for|foreach|while|switch|match|case|catch|except|try|finally|with|do|return|await|default))\b/;

const sameTelling = 6;
const sameHead = 3;
const sameMark = 2;
/** Penalty for a line of the file, and of the code, that has no counterpart. */
const gapInFile = 1;
const gapInBlock = 0.25;

/** Whether a line has content of its own: more than brackets and punctuation. */
export function isSignificant(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && line.trim().length >= 3;
}

/** Share of the telling lines of `file` that are in `block`, from 0 to 1. */
export function* sharedFraction(file: readonly string[], block: readonly string[]): CooperativeTask<number> {
  const inBlock = new Set(yield* mapLines(block, (line) => line.trim()));
  let telling = 0;
  let shared = 0;
  yield* mapLines(file, (line) => {
    if (!isSignificant(line)) return;
    telling += 1;
    if (inBlock.has(line.trim())) shared += 1;
  });
  return telling === 0 ? 0 : shared / telling;
}

/** `lines.map(make)` with pauses. */
export function* mapLines<T>(lines: readonly string[], make: (line: string) => T): CooperativeTask<T[]> {
  const slice = new Slice(linesPerSlice);
  const all: T[] = [];
  for (const line of lines) {
    all.push(make(line));
    if (slice.isOver(1)) yield;
  }
  return all;
}

/**
 * The best place; `undefined` where the two have too little in common. Of a long file, only the most similar part is
 * compared.
 */
export function* align(whole: readonly string[], block: readonly string[]): CooperativeTask<Alignment | undefined> {
  const length = Math.floor(mostCells / block.length);
  if (whole.length <= length) return yield* alignAll(whole, block);
  const start = yield* likeliestStart(whole, block, length);
  const found = yield* alignAll(whole.slice(start, start + length), block);
  return found === undefined ? undefined : { ...found, first: found.first + start, last: found.last + start };
}

/** Start of the window of `length` lines with the most lines that are in the block and rare in the file. */
function* likeliestStart(file: readonly string[], block: readonly string[], length: number): CooperativeTask<number> {
  const inBlock = new Set(yield* mapLines(block, (line) => (isSignificant(line) ? line.trim() : "")));
  inBlock.delete("");
  const counts = new Map<string, number>();
  const lines = yield* mapLines(file, (line) => {
    const trimmed = line.trim();
    counts.set(trimmed, (counts.get(trimmed) ?? 0) + 1);
    return trimmed;
  });
  const weights = yield* mapLines(lines, (line) => (inBlock.has(line) ? 1 / (counts.get(line) ?? 1) : 0));
  let sum = weights.slice(0, length).reduce((total, weight) => total + weight, 0);
  let best = { start: 0, sum };
  for (let start = 1; start + length <= file.length; start++) {
    sum += (weights[start + length - 1] ?? 0) - (weights[start - 1] ?? 0);
    if (sum > best.sum + 0.001) best = { start, sum };
  }
  if (best.start === 0) return 0; // they may be at the very beginning
  // The window ends with the last match as soon as it has all of them; the lines around the matches belong to it, too.
  return Math.min(best.start + Math.floor(length / 4), file.length - length);
}

function* alignAll(file: readonly string[], block: readonly string[]): CooperativeTask<Alignment | undefined> {
  const numbers = new Map<string, number>();
  const numberOf = (key: string): number => {
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
  const inFile = yield* mapLines(file, (line) => lineOf(line, numberOf));
  const inBlock = yield* mapLines(block, (line) => lineOf(line, numberOf));
  const way = yield* bestPath(inFile, inBlock);
  const [start, end] = [way[0], way.at(-1)];
  if (start === undefined || end === undefined) return undefined;
  const matches = way.filter(
    ([row, column]) => inFile[row]?.isSignificant === true && inBlock[column]?.isSignificant,
  ).length;
  const telling = inBlock.filter((line) => line.isSignificant).length;
  if (matches < 2 && matches < telling * 0.3) return undefined;
  if (matches === 0) return undefined;
  return {
    first: start[0],
    last: end[0],
    fileIndent: indentOf(file[start[0]]),
    blockIndent: indentOf(block[start[1]]),
  };
}

interface Line {
  /** Equal for lines that differ in white space only; 0 for an empty one. */
  readonly key: number;
  /** Equal for lines that begin the same declaration; 0 for any other line. */
  readonly head: number;
  readonly isSignificant: boolean;
}

function lineOf(text: string, numberOf: (key: string) => number): Line {
  const trimmed = text.trim();
  const head = headOf(trimmed);
  return {
    key: trimmed === "" ? 0 : numberOf(`l:${trimmed}`),
    head: head === "" ? 0 : numberOf(`h:${head}`),
    isSignificant: isSignificant(text),
  };
}

/** Beginning of a declaration, such as "export function send"; empty for any other line. */
function headOf(line: string): string {
  const head = /^[^({=:;,]{3,80}(?=[({=:])/.exec(line)?.[0].trim() ?? "";
  const isBlock = /(?:[{(:]|=>)$/.test(line);
  return control.test(head) || !(head.includes(" ") || isBlock) ? "" : head;
}

/** Score of a pair of lines; 0 where they do not match. */
function fit(one: Line, other: Line): number {
  if (one.key !== 0 && one.key === other.key) return one.isSignificant ? sameTelling : sameMark;
  return one.head !== 0 && one.head === other.head ? sameHead : 0;
}

/** Matching pairs of lines, in order: the path with the highest score through the table (Smith-Waterman). */
function* bestPath(
  file: readonly Line[],
  block: readonly Line[],
): CooperativeTask<readonly (readonly [number, number])[]> {
  const slice = new Slice(cellsPerSlice);
  const width = block.length + 1;
  const worth = new Float32Array((file.length + 1) * width);
  let best = 0;
  let here = width - 1;
  for (const line of file) {
    here++;
    for (const other of block) {
      here++;
      const fits = fit(line, other);
      const value = Math.max(
        0,
        fits === 0 ? 0 : (worth[here - width - 1] ?? 0) + fits,
        (worth[here - width] ?? 0) - gapInFile,
        (worth[here - 1] ?? 0) - gapInBlock,
      );
      worth[here] = value;
      if (value > (worth[best] ?? 0)) best = here;
    }
    if (slice.isOver(width)) yield;
  }
  return traceBack(file, block, worth, best);
}

function traceBack(
  file: readonly Line[],
  block: readonly Line[],
  worth: Float32Array,
  from: number,
): readonly (readonly [number, number])[] {
  const width = block.length + 1;
  const way: [number, number][] = [];
  for (let here = from; (worth[here] ?? 0) > 0;) {
    const [row, column] = [Math.floor(here / width) - 1, (here % width) - 1];
    const [line, other] = [file[row], block[column]];
    const value = worth[here] ?? 0;
    const fits = line === undefined || other === undefined ? 0 : fit(line, other);
    if (fits > 0 && isNear(value, (worth[here - width - 1] ?? 0) + fits)) {
      way.push([row, column]);
      here -= width + 1;
    } else if (isNear(value, (worth[here - width] ?? 0) - gapInFile)) here -= width;
    else here -= 1;
  }
  return way.toReversed();
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.01;
}

function indentOf(line: string | undefined): string {
  return /^[ \t]*/.exec(line ?? "")?.[0] ?? "";
}
