/** Splits a long passage into pieces that take a few milliseconds each, and read as the whole would. */

import { linesOf } from "../facts/lines.ts";
import type { Passage } from "./source.ts";

/** Approximate piece length. */
const UNITS_A_PIECE = 6_000;

/** A piece that starts within a code fence repeats the line that opened it. */
export function piecesOf(passage: Passage): readonly Passage[] {
  if (passage.text.length <= UNITS_A_PIECE) return [passage];
  const pieces: Passage[] = [];
  let lines: string[] = [];
  let units = 0;
  let fence: string | undefined;
  const end = (): void => {
    if (lines.length > 0) pieces.push({ ...passage, text: lines.join("\n") });
    lines = fence === undefined ? [] : [fence];
    units = 0;
  };
  for (const line of passage.text.split("\n").flatMap(partsOfLine)) {
    lines.push(line);
    units += line.length + 1;
    const trimmed = line.trim();
    if (/^(?:```|~~~)/.test(trimmed)) fence = fence === undefined ? trimmed : undefined;
    if (units >= UNITS_A_PIECE) end();
  }
  if (units > 0) end();
  return pieces;
}

/** A long line in the parts in which it is read, see `linesOf`. */
function partsOfLine(line: string): readonly string[] {
  if (line.length <= UNITS_A_PIECE) return [line];
  return linesOf(line).map(({ text }) => text);
}
