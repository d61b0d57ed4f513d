/** Cuts long text so that each part can be laid out by itself. Pure. */

/** Text up to this length is left whole, in UTF-16 units. */
export const pieceLength = 2_000;

/**
 * Cuts `text` into parts of at most `pieceLength`, at the last line end, else at the last space, else anywhere; a line end
 * at which it was cut belongs to no part. The same text with more behind it is cut at the same places.
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

/** How much of `window`, which is all one line, stands before the cut. */
function lengthInLine(window: string): number {
  const space = window.lastIndexOf(" ");
  if (space > window.length / 2) return space + 1;
  const isInPair = /[\ud800-\udbff]$/.test(window);
  return isInPair ? window.length - 1 : window.length;
}
