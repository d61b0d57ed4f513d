/** Bound of `modelNotes` on the calls of one summary: each piece and each merge is requested at most twice. */
export function mostCalls(pieces: number): number {
  return 2 * (2 * pieces - 1);
}
