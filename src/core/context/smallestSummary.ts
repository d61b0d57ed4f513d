/** The least that a summary is given room for. */

/** Tokens of its content: fewer can stand for no story. Spec §5. */
export const SMALLEST_SUMMARY_TOKENS = 64;
