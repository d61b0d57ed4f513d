/** Bound of `modelNotes` on the calls of one summary: one for each piece and each merge, and one second question. */
export function mostCalls(pieces: number): number {
  return 2 * pieces;
}
