/** The stretch of a file that some lines of code continue or change: the best local alignment of the two, line by line. */

/** A stretch of the file, both lines included, and how the code fits there. */
export interface Alignment {
  readonly first: number;
  readonly last: number;
  /** Telling lines that are in both. */
  readonly matches: number;
  /** White space before the first line that is in both, there and in the code. */
  readonly fileIndent: string;
  readonly blockIndent: string;
}

/** So many comparisons take some milliseconds. */
const mostCells = 1_500_000;

const sameTelling = 6;
const sameHead = 3;
const sameMark = 2;
/** What it costs to leave out a line of the file, and of the code. */
const gapInFile = 1;
const gapInBlock = 0.25;

/** Whether a line says something of its own: more than brackets and marks. */
export function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && line.trim().length >= 3;
}

/** The best place; `undefined` where too little is in both, or the texts are too long to be compared. */
export function align(file: readonly string[], block: readonly string[]): Alignment | undefined {
  if (file.length * block.length > mostCells) return undefined;
  const numbers = new Map<string, number>();
  const numberOf = (key: string): number => {
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
  const [inFile, inBlock] = [file, block].map((lines) => lines.map((line) => lineOf(line, numberOf)));
  if (inFile === undefined || inBlock === undefined) return undefined;
  const way = bestWay(inFile, inBlock);
  const [start, end] = [way[0], way.at(-1)];
  if (start === undefined || end === undefined) return undefined;
  const matches = way.filter(([row, column]) => inFile[row]?.isTelling === true && inBlock[column]?.isTelling).length;
  const telling = inBlock.filter((line) => line.isTelling).length;
  if (matches < 2 && matches < telling * 0.3) return undefined;
  if (matches === 0) return undefined;
  return {
    first: start[0],
    last: end[0],
    matches,
    fileIndent: indentOf(file[start[0]]),
    blockIndent: indentOf(block[start[1]]),
  };
}

interface Line {
  /** Equal for lines that differ in white space alone; 0 for an empty one. */
  readonly key: number;
  /** Equal for lines that begin the same declaration; 0 where that can not be told. */
  readonly head: number;
  readonly isTelling: boolean;
}

function lineOf(text: string, numberOf: (key: string) => number): Line {
  const trimmed = text.trim();
  const head = /^[^({=:;,]{6,80}(?=[({=:])/.exec(trimmed)?.[0].trim() ?? "";
  return {
    key: trimmed === "" ? 0 : numberOf(`l:${trimmed}`),
    head: head.includes(" ") ? numberOf(`h:${head}`) : 0,
    isTelling: isTelling(text),
  };
}

/** How well two lines fit; 0 where they do not. */
function fit(one: Line, other: Line): number {
  if (one.key !== 0 && one.key === other.key) return one.isTelling ? sameTelling : sameMark;
  return one.head !== 0 && one.head === other.head ? sameHead : 0;
}

/** Pairs of lines that fit, first to last; the way through the table whose worth is greatest. */
function bestWay(file: readonly Line[], block: readonly Line[]): readonly (readonly [number, number])[] {
  const width = block.length + 1;
  const worth = new Float32Array((file.length + 1) * width);
  let best = 0;
  for (const [row, line] of file.entries()) {
    for (const [column, other] of block.entries()) {
      const here = (row + 1) * width + column + 1;
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
  }
  return wayBack(file, block, worth, best);
}

function wayBack(
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
