/** Cuts long text into pieces that can be laid out separately. Pure. */

import { placeBefore } from "../../core/cutText.ts";

/** Longest piece, in UTF-16 units. */
export const pieceLength = 2_000;

/**
 * Cuts at the last line end, else at the last space, else between two characters; a line end at a cut belongs to no piece. Appended
 * text does not move earlier cuts.
 */
export function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > pieceLength) {
    const window = text.slice(start, start + pieceLength);
    const lineEnd = window.lastIndexOf("\n");
    const length = lineEnd > 0 ? lineEnd : lengthInLine(text, start, window);
    pieces.push(window.slice(0, length));
    start += lineEnd > 0 ? length + 1 : length;
  }
  return [...pieces, text.slice(start)];
}

/** Length before the cut in `window`, which is a single line. */
function lengthInLine(text: string, start: number, window: string): number {
  const space = window.lastIndexOf(" ");
  if (space > window.length / 2) return space + 1;
  return placeBefore(text, start + pieceLength) - start || pieceLength;
}
