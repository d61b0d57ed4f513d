/** Cuts long text into pieces that can be laid out separately. Pure. */

/** Longest piece, in UTF-16 units. */
export const pieceLength = 2_000;

/**
 * Cuts at the last line end, else at the last space, else anywhere; a line end at a cut belongs to no piece. Appended
 * text does not move earlier cuts.
 */
export function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > pieceLength) {
    const window = text.slice(start, start + pieceLength);
    const lineEnd = window.lastIndexOf("\n");
    const length = lineEnd > 0 ? lineEnd : lengthInLine(window);
    pieces.push(window.slice(0, length));
    start += lineEnd > 0 ? length + 1 : length;
  }
  return [...pieces, text.slice(start)];
}

/** Length before the cut in `window`, which is a single line. */
function lengthInLine(window: string): number {
  const space = window.lastIndexOf(" ");
  if (space > window.length / 2) return space + 1;
  const isInPair = /[\ud800-\udbff]$/.test(window);
  return isInPair ? window.length - 1 : window.length;
}
