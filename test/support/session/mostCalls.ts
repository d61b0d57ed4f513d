/** The bound on the calls of one summary that `modelNotes` promises. */

/** The most calls that a span of so many pieces can take: each piece and each merge of two or more at most twice. */
export function mostCalls(pieces: number): number {
  return 2 * (2 * pieces - 1);
}
