/** Widths of characters in cells, as terminals of today draw them: emoji take two, which xterm's own table has as one. */

import type { IUnicodeVersionProvider } from "@xterm/headless";

/** First and last code points of what takes two cells, ascending: East Asian width W and F. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x2fffd],
  [0x30000, 0x3fffd],
];
const FIRST_UNUSUAL = 0x300;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

export const characterWidths: IUnicodeVersionProvider = {
  version: "forge",
  wcwidth: cellsOf,
  // The format of xterm: bit 0: joins the character before it; bits 1 and 2: the width of both. What can join nothing
  // takes a cell, where it is not lost.
  charProperties: (codePoint, preceding) => {
    const width = cellsOf(codePoint);
    const before = (preceding >> 1) & 3;
    if (width === 0 && before > 0) return (before << 1) | 1;
    return Math.max(width, 1) << 1;
  },
};

function cellsOf(codePoint: number): 0 | 1 | 2 {
  if (codePoint < FIRST_UNUSUAL) return 1;
  const known = cache.get(codePoint);
  if (known !== undefined) return known;
  const cells = measure(codePoint);
  if (cache.size < MOST_CACHED) cache.set(codePoint, cells);
  return cells;
}

const MOST_CACHED = 20_000;
const cache = new Map<number, 0 | 1 | 2>();

function measure(codePoint: number): 0 | 1 | 2 {
  const character = String.fromCodePoint(codePoint);
  if (ZERO.test(character)) return 0;
  if (EMOJI.test(character)) return 2;
  return WIDE.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1;
}
